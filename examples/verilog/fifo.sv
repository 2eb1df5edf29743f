// fifo.sv - a synchronous first-in first-out queue with its own proof obligations.
//
// DEPTH words of WIDTH bits in a memory, a write and a read pointer that wrap at DEPTH (which need
// not be a power of two), and a word count. Reset is synchronous and active low. A push into a full
// queue and a pop from an empty one are refused, whatever the environment does.
//
// What is claimed:
//   a_count, a_wptr, a_rptr   the counters stay in range
//   a_pointers                the pointers and the count tell the same story
//   a_flags                   never full and empty at once
//   a_data                    any one word, picked by the checker when it is pushed, comes out
//                             unchanged and in its turn
//   c_full, c_drained         the queue can fill up, and can be emptied again after that
//
//   indubit check fifo.sv --top fifo --reset rst_n=0

module fifo #(
    parameter int WIDTH = 8,
    parameter int DEPTH = 6
) (
    input  logic             clk,
    input  logic             rst_n,
    input  logic             push,
    input  logic [WIDTH-1:0] din,
    input  logic             pop,
    output logic [WIDTH-1:0] dout,
    output logic             full,
    output logic             empty
);
    localparam int AW = $clog2(DEPTH);
    localparam int CW = $clog2(DEPTH + 1);

    logic [WIDTH-1:0] mem [0:DEPTH-1];
    logic [AW-1:0]    wptr, rptr;
    logic [CW-1:0]    count;

    wire do_push = push && !full;
    wire do_pop  = pop && !empty;

    assign full  = count == DEPTH;
    assign empty = count == 0;
    assign dout  = mem[rptr];

    always_ff @(posedge clk) begin
        if (!rst_n) begin
            wptr  <= 0;
            rptr  <= 0;
            count <= 0;
        end else begin
            if (do_push) wptr <= (wptr == DEPTH - 1) ? 0 : wptr + 1;
            if (do_pop)  rptr <= (rptr == DEPTH - 1) ? 0 : rptr + 1;
            case ({do_push, do_pop})
                2'b10:   count <= count + 1;
                2'b01:   count <= count - 1;
                default: count <= count;
            endcase
        end
    end

    always_ff @(posedge clk)
        if (do_push) mem[wptr] <= din;

`ifdef FORMAL
    // The checker follows one word of its choice: `ahead` counts the words in front of it.
    (* anyseq *) logic pick;
    logic             watching;
    logic [WIDTH-1:0] watched;
    logic [CW-1:0]    ahead;
    logic             was_full;

    always_ff @(posedge clk) begin
        if (!rst_n) begin
            watching <= 0;
            was_full <= 0;
        end else begin
            if (full) was_full <= 1;
            if (!watching) begin
                if (do_push && pick) begin
                    watching <= 1;
                    watched  <= din;
                    ahead    <= count - do_pop;
                end
            end else if (do_pop) begin
                if (ahead == 0) watching <= 0;
                else            ahead <= ahead - 1;
            end
        end
    end

    always_ff @(posedge clk) begin
        if (rst_n) begin
            a_count:    assert (count <= DEPTH);
            a_wptr:     assert (wptr < DEPTH);
            a_rptr:     assert (rptr < DEPTH);
            a_pointers: assert ((wptr >= rptr ? wptr - rptr : DEPTH + wptr - rptr) == (full ? 0 : count));
            a_data:     assert (!(watching && ahead == 0 && do_pop) || dout == watched);
            c_full:     cover (full);
            c_drained:  cover (was_full && empty);
        end
    end

    always_comb
        if (rst_n) a_flags: assert (!(full && empty));
`endif
endmodule
