#!/usr/bin/env python3
"""Does what the tools of `Config/agent-tools` deliver: claims it, renews the claim twice or each second, and replies by
what was delivered. What names milliseconds takes as many; what names a result has that; what names a problem fails.

    Tests/Checks/agent_worker.py --port 8080 --session demo
"""

import argparse
import math
import threading
import time

from program import Connection


def work(port, session, stopped, pause=0.2):
    """Works until it is stopped."""
    api = Connection(port)
    path = f"/sessions/{session}/deliveries"
    while not stopped.is_set():
        answer = api.ask("POST", f"{path}/claim", {"by": "agent_worker"}, {"Prefer": "wait=1"})
        if answer.status != 200:
            if answer.status != 204:
                time.sleep(1)
            continue
        delivery = answer.json["delivery"]
        claim = {"claim": delivery["claim"]["number"]}
        value = delivery["value"]
        named = value if isinstance(value, dict) else {}
        seconds = named["durationMs"] / 1000 if "durationMs" in named else 3 * pause
        steps = max(3, math.ceil(seconds))
        step = seconds / steps
        for _ in range(steps - 1):
            stopped.wait(step)
            renewed = api.ask("POST", f"{path}/{delivery['id']}/renew", claim)
            if renewed.status != 200:
                break
            if renewed.json["delivery"]["state"] == "cancelling":
                api.ask("POST", f"{path}/{delivery['id']}/cancel", claim)
                break
        else:
            stopped.wait(step)
            if "problem" in named:
                api.ask("POST", f"{path}/{delivery['id']}/fail", claim | {"problem": named["problem"]})
            else:
                api.ask("POST", f"{path}/{delivery['id']}/reply", claim | {"result": named.get("result", value)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--session", default="demo")
    options = parser.parse_args()
    work(options.port, options.session, threading.Event())


if __name__ == "__main__":
    main()
