// axil.sv - an AXI4-Lite slave with four registers of 32 bits.
//
// Write address and write data may arrive in either order and are both held until the response has
// room; reads take one cycle. WSTRB selects bytes. Every address is valid (the two bits above the
// byte offset select the register), so every response is OKAY. Reset is asynchronous and active low.
//
// Assumed of the master (m_*): it keeps VALID, and what it announces with it, until READY.
// Claimed of the slave:
//   a_b_stable, a_r_stable   VALID stays until READY
//   a_r_data                 RDATA does not change while it waits
//   a_b_owed                 a write response only after a write
//   a_read_back              a read returns what was last written to that register (followed for one
//                            register of the checker's choice)
//   c_write_read             a write of a certain value can be read back
//   c_back_to_back           two reads in consecutive cycles
//
//   indubit check axil.sv --top axil --reset aresetn=0

module axil (
    input  logic        aclk,
    input  logic        aresetn,
    // write address, write data, write response
    input  logic        awvalid,
    output logic        awready,
    input  logic [3:0]  awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    // read address, read data
    input  logic        arvalid,
    output logic        arready,
    input  logic [3:0]  araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [31:0] rdata,
    output logic [1:0]  rresp
);
    logic [31:0] regs [0:3];

    // A write happens when both halves are there and the response channel has room.
    logic        aw_held, w_held;
    logic [1:0]  aw_index;
    logic [31:0] w_data;
    logic [3:0]  w_strb;

    assign awready = !aw_held;
    assign wready  = !w_held;
    wire   write   = aw_held && w_held && (!bvalid || bready);

    wire [31:0] w_mask = {{8{w_strb[3]}}, {8{w_strb[2]}}, {8{w_strb[1]}}, {8{w_strb[0]}}};

    always_ff @(posedge aclk or negedge aresetn) begin
        if (!aresetn) begin
            aw_held <= 0;
            w_held  <= 0;
            bvalid  <= 0;
        end else begin
            if (awvalid && awready) aw_held <= 1; else if (write) aw_held <= 0;
            if (wvalid && wready)   w_held  <= 1; else if (write) w_held  <= 0;
            if (write)              bvalid  <= 1; else if (bready) bvalid <= 0;
        end
    end

    always_ff @(posedge aclk) begin
        if (awvalid && awready) aw_index <= awaddr[3:2];
        if (wvalid && wready) begin
            w_data <= wdata;
            w_strb <= wstrb;
        end
    end

    // One register file, cleared by reset.
    always_ff @(posedge aclk or negedge aresetn) begin
        if (!aresetn)
            for (int i = 0; i < 4; i = i + 1) regs[i] <= 0;
        else if (write)
            regs[aw_index] <= (regs[aw_index] & ~w_mask) | (w_data & w_mask);
    end

    // Reads: the data is taken over with the address.
    assign arready = !rvalid || rready;

    always_ff @(posedge aclk or negedge aresetn) begin
        if (!aresetn)                rvalid <= 0;
        else if (arvalid && arready) rvalid <= 1;
        else if (rready)             rvalid <= 0;
    end

    always_ff @(posedge aclk)
        if (arvalid && arready) rdata <= regs[araddr[3:2]];

    assign bresp = 2'b00;
    assign rresp = 2'b00;

`ifdef FORMAL
    logic past_valid;
    always_ff @(posedge aclk or negedge aresetn)
        if (!aresetn) past_valid <= 0;
        else          past_valid <= 1;

    // The checker follows one register.
    (* anyconst *) logic [1:0] watch;
    logic [31:0] expected;   // what the register must hold
    logic [31:0] promised;   // what the read under way must return
    logic        promise;    // ... if it concerns the register
    logic        wrote;      // a certain value has been written to it

    always_ff @(posedge aclk or negedge aresetn) begin
        if (!aresetn) begin
            expected <= 0;
            promise  <= 0;
            wrote    <= 0;
        end else begin
            if (write && aw_index == watch) begin
                expected <= (expected & ~w_mask) | (w_data & w_mask);
                wrote    <= w_data == 32'hC0FFEE42 && &w_strb;
            end
            if (arvalid && arready) begin
                promise  <= araddr[3:2] == watch;
                promised <= expected;
            end else if (rready) promise <= 0;
        end
    end

    always_ff @(posedge aclk) begin
        if (aresetn && past_valid) begin
            if ($past(awvalid && !awready)) m_aw: assume (awvalid && $stable(awaddr));
            if ($past(wvalid && !wready))   m_w:  assume (wvalid && $stable(wdata) && $stable(wstrb));
            if ($past(arvalid && !arready)) m_ar: assume (arvalid && $stable(araddr));

            if ($past(bvalid && !bready)) a_b_stable: assert (bvalid);
            if ($past(rvalid && !rready)) begin
                a_r_stable: assert (rvalid);
                a_r_data:   assert ($stable(rdata));
            end
            if ($rose(bvalid)) a_b_owed: assert ($past(aw_held && w_held));

            c_back_to_back: cover (rvalid && rready && $past(rvalid && rready));
        end
    end

    always_comb begin
        if (aresetn && rvalid && promise) begin
            a_read_back:  assert (rdata == promised);
            c_write_read: cover (wrote && rready && rdata == 32'hC0FFEE42);
        end
    end
`endif
endmodule
