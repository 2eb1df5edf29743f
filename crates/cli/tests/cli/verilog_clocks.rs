//! Designs in Verilog with several clocks.

use crate::common::Scratch;
use crate::verilog::has_yosys;

/// What is written by one clock, and read by another one.
const TWO_CLOCKS: &str = "\
module two(input wclk, rclk, rst, input [1:0] d, output reg [1:0] q);
  reg [1:0] x;
  always @(posedge wclk or posedge rst) if (rst) x <= 0; else if (d != 3) x <= d;
  always @(posedge rclk) if (rst) q <= 0; else q <= x;
  always @(posedge rclk) if (!rst) a_never: assert (q != 3);
  always @(posedge rclk) if (!rst) a_soon: assert (q != 2);
endmodule
";

#[test]
fn several_clocks_tick_as_they_like() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let design = scratch.write("two.sv", TWO_CLOCKS);
    let ran = indubit!["check", &design, "--multiclock", "--reset", "rst=1"].with_code(10);
    assert!(
        ran.stdout.contains("safe        a_never") && ran.stdout.contains("unsafe      a_soon"),
        "{}",
        ran.stdout
    );
    let clocks =
        |text: &str| text.contains(" rclk = 1") && text.contains(" wclk = 1") && text.contains(" q = 2");
    assert!(clocks(&ran.stdout), "{}", ran.stdout);
    indubit!["check", &design, "--multiclock", "--clock", "rclk"].with_code(2);
}

/// What `check` says of a design with several clocks and a reset `rst`.
fn checked(text: &str, code: i32) -> (String, String) {
    let scratch = Scratch::new();
    let design = scratch.write("design.sv", text);
    let ran = indubit!["check", &design, "--multiclock", "--reset", "rst=1"].with_code(code);
    (ran.stdout, ran.stderr)
}

#[test]
fn the_reset_waits_for_clocks_in_vectors() {
    if !has_yosys() {
        return;
    }
    let (said, _) = checked(
        "module m(input [1:0] ck, input rst, output reg [1:0] q, output reg p);
           always @(posedge ck[0]) if (rst) q <= 0; else if (q < 2) q <= q + 1;
           always @(posedge ck[1]) if (rst) p <= 0; else p <= q[0];
           always @* if (!rst) a_q: assert (q != 3);
         endmodule",
        0,
    );
    assert!(said.contains("safe        a_q"), "{said}");
}

#[test]
fn the_reset_waits_for_clocks_without_a_name() {
    if !has_yosys() {
        return;
    }
    let (said, _) = checked(
        "module m(input clk, en, rst, output reg [1:0] q);
           always @(posedge (clk & en)) if (rst) q <= 0; else if (q < 2) q <= q + 1;
           always @* if (!rst) a_q: assert (q != 3);
         endmodule",
        0,
    );
    assert!(said.contains("safe        a_q"), "{said}");
}

#[test]
fn the_reset_does_not_wait_for_a_clock_that_it_stops() {
    if !has_yosys() {
        return;
    }
    let (said, warned) = checked(
        "module m(input clk, rst, output reg [1:0] q, output reg slow);
           always @(posedge clk) if (rst) slow <= 0; else slow <= !slow;
           always @(posedge slow or posedge rst) if (rst) q <= 0; else q <= q + 1;
           always @* if (!rst) a_q: assert (q != 2);
         endmodule",
        10,
    );
    assert!(said.contains("unsafe      a_q"), "{said}");
    assert!(format!("{said}{warned}").contains("`slow` depends on the reset"), "{said}{warned}");
}

#[test]
fn assertions_with_a_clock_are_not_about_steps_under_reset() {
    if !has_yosys() {
        return;
    }
    let design = |goal: &str| {
        format!(
            "module m(input c1, c2, rst, output reg [1:0] q, output reg p);
               always @(posedge c2) if (rst) q <= 0; else if (q < 2) q <= q + 1;
               always @(posedge c1) p <= q[0];
               always @(posedge c2) a_q: assert (q != {goal});
             endmodule"
        )
    };
    let (said, _) = checked(&design("3"), 0);
    assert!(said.contains("safe        a_q"), "{said}");
    let (said, _) = checked("module m(input c, rst); always @(posedge c) c_rst: cover (rst); endmodule", 10);
    assert!(said.contains("unreachable c_rst"), "{said}");
    for seen in ["0", "2"] {
        let (said, _) = checked(&design(seen), 10);
        assert!(said.contains("unsafe      a_q"), "{said}");
    }
}

#[test]
fn registers_have_their_names_and_enumerations() {
    if !has_yosys() {
        return;
    }
    let (said, _) = checked(
        "module flop(input clk, d, output reg x); always @(posedge clk) x <= d; endmodule
         module m(input c1, c2, rst, d);
           typedef enum logic [1:0] {IDLE, BUSY, DONE} state_t;
           state_t st;
           wire x;
           flop f0(c1, d, x);
           always @(posedge c2) if (rst) st <= IDLE; else if (x) st <= st == DONE ? IDLE : st == BUSY ? DONE : BUSY;
           always @* if (!rst) a_st: assert (st != DONE);
         endmodule",
        10,
    );
    assert!(said.contains("st = DONE") && said.contains("st = BUSY"), "{said}");
    // Clocks are inputs, and no registers; and a register has the name that is nearest to the top.
    assert!(!said.contains("f0.") && said.contains(" x = "), "{said}");
}

#[test]
fn clocks_never_stop() {
    if !has_yosys() {
        return;
    }
    let design = |condition: &str| {
        format!(
            "module m(input c1, c2, rst, go);
               reg done, seen;
               always @(posedge c1) if (rst) done <= 0; else if ({condition}) done <= 1;
               always @(posedge c2) if (rst) seen <= 0; else seen <= done;
               always @* l_seen: assert property (s_eventually seen);
             endmodule"
        )
    };
    let (said, _) = checked(&design("1"), 0);
    assert!(said.contains("holds       l_seen"), "{said}");
    let (said, _) = checked(&design("go"), 10);
    assert!(said.contains("fails       l_seen"), "{said}");
}
