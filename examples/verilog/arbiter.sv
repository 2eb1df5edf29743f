// arbiter.sv - a round-robin arbiter for four clients that share one slow resource.
//
// A client raises req[i] and keeps it up until it is served. While the resource is ready, the arbiter
// gives one grant per cycle: the first requester after the one that was served last. Grants are
// registered: they answer the requests of the cycle before. Reset is synchronous and active high.
//
// What is claimed:
//   a_onehot        at most one grant at a time
//   a_requested     no grant without a request
//   a_ready         no grant while the resource was busy
//   l_served_0..3   whoever asks is served in the end - provided (f_ready) the resource is ready again
//                   and again
//   c_all_waiting, c_rotate   all four can wait at once; the last client can be followed by the first
//
// The liveness claims are `assert property (s_eventually ...)`. Yosys reads one in every clock cycle:
// "from here on, some time" - together: again and again.
//
//   indubit check arbiter.sv --top arbiter --reset rst=1

module arbiter #(
    parameter int N = 4
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         ready,
    input  logic [N-1:0] req,
    output logic [N-1:0] gnt
);
    // Clients after the one that was served last; they come first this time.
    logic [N-1:0] later;

    wire [N-1:0] first_choice = req & later & ~gnt;
    wire [N-1:0] any_choice   = req & ~gnt;
    wire [N-1:0] pool         = first_choice != 0 ? first_choice : any_choice;
    wire [N-1:0] winner       = pool & (~pool + 1'b1);

    always_ff @(posedge clk) begin
        if (rst) begin
            gnt   <= 0;
            later <= {N{1'b1}};
        end else begin
            gnt <= ready ? winner : 0;
            if (ready && winner != 0)
                later <= ~(winner | (winner - 1'b1));
        end
    end

`ifdef FORMAL
    logic         past_valid;
    logic [N-1:0] past_req;
    logic         past_ready;

    always_ff @(posedge clk) begin
        past_valid <= !rst;
        past_req   <= req;
        past_ready <= ready;
    end

    always_ff @(posedge clk) begin
        if (!rst && past_valid) begin
            // A client that is not served keeps asking.
            m_patient:   assume ((past_req & ~gnt & ~req) == 0);

            a_onehot:    assert ((gnt & (gnt - 1'b1)) == 0);
            a_requested: assert ((gnt & ~past_req) == 0);
            a_ready:     assert (gnt == 0 || past_ready);

            c_all_waiting: cover (&req && gnt == 0);
            c_rotate:      cover (gnt[0] && later == {{(N-1){1'b1}}, 1'b0} && &past_req);
        end
    end

    f_ready: assume property (s_eventually ready);

    l_served_0: assert property (s_eventually (rst || !req[0] || gnt[0]));
    l_served_1: assert property (s_eventually (rst || !req[1] || gnt[1]));
    l_served_2: assert property (s_eventually (rst || !req[2] || gnt[2]));
    l_served_3: assert property (s_eventually (rst || !req[3] || gnt[3]));
`endif
endmodule
