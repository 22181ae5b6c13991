#!/usr/bin/env python3
"""Does what the tools of `Config/agent-tools` deliver: claims it, renews the claim twice, and replies; what names
milliseconds takes as many.

    Tests/Checks/agent_worker.py --port 8080 --session demo
"""

import argparse
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
        step = value["durationMs"] / 3000 if isinstance(value, dict) and "durationMs" in value else pause
        for _ in range(2):
            stopped.wait(step)
            renewed = api.ask("POST", f"{path}/{delivery['id']}/renew", claim)
            if renewed.status != 200:
                break
            if renewed.json["delivery"]["state"] == "cancelling":
                api.ask("POST", f"{path}/{delivery['id']}/cancel", claim)
                break
        else:
            stopped.wait(step)
            api.ask("POST", f"{path}/{delivery['id']}/reply", claim | {"result": value})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--session", default="demo")
    options = parser.parse_args()
    work(options.port, options.session, threading.Event())


if __name__ == "__main__":
    main()
