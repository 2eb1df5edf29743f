"""Indubit as an engine of SymbiYosys: `indubit [OPTIONS OF indubit check]` under [engines].

prove, bmc, cover  The design goes to Indubit as BTOR2, with its memories. Every assertion gets a status of its own, every
                   one that fails, and every cover that is reached, a witness and a waveform.
live               The design goes to Indubit as AIGER, and liveness is decided as a whole.

The program is `indubit`, or what the environment variable INDUBIT names.
"""

import json
import os
import shlex

from sby_core import SbyProc
from sby_sim import sim_witness_trace


def run(mode, task, engine_idx, engine):
    if task.opt_skip is not None:
        task.error("The indubit engine does not support the option skip.")
    program = os.getenv("INDUBIT", "indubit")
    options = " ".join(shlex.quote(word) for word in engine[1:])
    if mode == "live":
        live(task, engine_idx, f"{program} check --format sby {options}")
        return
    if mode in ("bmc", "cover"):
        options += f" --bound {task.opt_depth - 1}"
    if mode == "bmc" and "--engine" not in engine:
        options += " --engine bmc"
    decide(mode, task, engine_idx, f"{program} check --format json {options}")


def log_file(task, engine_idx):
    return open(f"{task.workdir}/engine_{engine_idx}/logfile.txt", "w")


def finish(task, engine_idx, status):
    task.update_status(status)
    task.summary.set_engine_status(engine_idx, status)
    task.terminate()


def live(task, engine_idx, command):
    """The answer is a line with 0, 1 or 2; a lasso follows, which nobody but Indubit can draw."""
    command += f" --vcd engine_{engine_idx}/trace.vcd +simple_liveness model/design_aiger.aig"
    proc = SbyProc(task, f"engine_{engine_idx}", task.model("aig"), f"cd {task.workdir}; {command}",
                   logfile=log_file(task, engine_idx))
    proc.checkretcode = True
    answers = []

    def on_line(line):
        if not answers and line in ("0", "1", "2"):
            answers.append({"0": "PASS", "1": "FAIL", "2": "UNKNOWN"}[line])
        print(line, file=proc.logfile)

    def on_exit(_):
        if not answers:
            task.error(f"engine_{engine_idx}: Indubit gave no answer.")
        waveform = f"engine_{engine_idx}/trace.vcd"
        if os.path.exists(f"{task.workdir}/{waveform}"):
            task.summary.add_event(engine_idx=engine_idx, trace="trace", path=waveform)
        finish(task, engine_idx, answers[0])

    proc.output_callback = on_line
    proc.register_exit_callback(on_exit)


def decide(mode, task, engine_idx, command):
    """The answer is a report in JSON, with a verdict for each property."""
    folder = f"engine_{engine_idx}"
    command += f" --witness {folder}/trace.wit"
    if task.opt_vcd and not task.opt_vcd_sim:
        command += f" --vcd {folder}/trace.vcd"
    # What is printed beside the report must not get between its lines.
    report = f"{folder}/report.json"
    proc = SbyProc(task, folder, task.model("btor"), f"cd {task.workdir}; {command} model/design_btor.btor > {report}",
                   logfile=log_file(task, engine_idx))
    proc.checkretcode = True
    proc.retcodes = [0, 10, 30]

    def on_exit(_):
        try:
            with open(f"{task.workdir}/{report}") as file:
                properties = json.load(file)["properties"]
        except (OSError, ValueError, KeyError):
            task.error(f"{folder}: Indubit gave no report.")
        known = Names(mode, task)
        waiting = 0

        def done(_):
            nonlocal waiting
            waiting -= 1
            if waiting == 0:
                finish(task, engine_idx, status(mode, properties))

        for found in properties:
            prop = known.find(found)
            label = found["name"] or found["id"]
            if found["verdict"] == "safe":
                task.log(f"{folder}: {label} is {'unreachable' if mode == 'cover' else 'proved'}.")
                if prop is not None and mode != "cover":
                    prop.status = "PASS"
                    task.status_db.set_task_property_status(prop, data=dict(source="indubit", engine=folder))
            elif found["verdict"] == "unsafe":
                task.log(f"{folder}: {label} {'is reached' if mode == 'cover' else 'fails'} in step {found['length']}.")
                for last in trace(mode, task, engine_idx, found, prop):
                    waiting += 1
                    last.register_exit_callback(done)
        if task.design:
            task.precise_prop_status = True
        if waiting == 0:
            finish(task, engine_idx, status(mode, properties))

    proc.register_exit_callback(on_exit)


def status(mode, properties):
    """What all verdicts amount to."""
    verdicts = [found["verdict"] for found in properties]
    if mode == "cover":
        within = [found for found in properties if found["verdict"] != "unsafe" and found["stop"] not in (None, "bound")]
        return "PASS" if all(v == "unsafe" for v in verdicts) else "UNKNOWN" if within else "FAIL"
    if "unsafe" in verdicts:
        return "FAIL"
    is_good = lambda found: found["verdict"] == "safe" or (mode == "bmc" and found["stop"] == "bound")
    return "PASS" if all(map(is_good, properties)) else "UNKNOWN"


def trace(mode, task, engine_idx, found, prop):
    """Yosys' own witness and the waveform of a trace: the processes to wait for."""
    folder = f"engine_{engine_idx}"
    witness, waveform = found["files"].get("witness"), found["files"].get("vcd")
    name = os.path.splitext(os.path.basename(witness))[0].replace(".", "_")
    about = dict(engine_idx=engine_idx, trace=name, type="$cover" if mode == "cover" else "$assert", step=found["length"])
    if prop is not None:
        about.update(hdlname=prop.hdlname, src=prop.location, prop=prop)
    task.summary.add_event(path=waveform or f"{folder}/{name}.yw", **about)
    yosys_witness = SbyProc(
        task, f"{folder}.{name}", [],
        f"cd {task.workdir}; {task.exe_paths['witness']} wit2yw {witness} model/design_btor.ywb {folder}/{name}.yw")
    yosys_witness.checkretcode = True
    processes = [yosys_witness]
    if task.opt_fst or (task.opt_vcd and task.opt_vcd_sim):
        append = task.opt_append
        processes.append(sim_witness_trace(folder, task, engine_idx, f"{folder}/{name}.yw", append=append, deps=[yosys_witness]))
    return processes


class Names:
    """Which property of the design a bad state of the model is."""

    def __init__(self, mode, task):
        self.paths, self.design = [], task.design
        if mode != "cover":
            with open(f"{task.workdir}/model/design_btor.ywb") as f:
                self.paths = json.load(f).get("asserts", [])

    def find(self, found):
        if not self.design:
            return None
        number = int(found["id"][1:])
        if number < len(self.paths):
            return self.design.properties_by_path.get(tuple(self.paths[number]))
        here = [p for p in self.design.hierarchy if p.location == found["source"]]
        named = [p for p in here if p.hdlname.endswith(found["name"] or "")]
        return named[0] if len(named) == 1 else here[0] if len(here) == 1 else None
