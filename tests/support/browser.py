"""Drive a headless Chromium by the DevTools protocol: go to an address, run script, look at what the page says, asks for
and complains about. Needs python3-websocket."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

import websocket


class Browser:
    def __init__(self, width=1280, height=900):
        self.profile = tempfile.mkdtemp(prefix="ksda-browser-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
             f"--remote-debugging-port={self.port}", "--remote-allow-origins=*", f"--user-data-dir={self.profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.console, self.requests, self.socket = 0, [], [], None
        try:
            self.socket = websocket.create_connection(self._target(), timeout=300)
            for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
                self.call(domain + ".enable")
            self.resize(width, height)
        except BaseException:
            self.close()
            raise

    def _target(self):
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json", timeout=60) as answer:
                    return next(t["webSocketDebuggerUrl"] for t in json.load(answer) if t["type"] == "page")
            except (OSError, StopIteration):
                if self.process.poll() is not None:
                    raise RuntimeError("chromium has ended")
                time.sleep(0.1)
        raise RuntimeError("chromium does not answer")

    def _take(self, message):
        method, data = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(str([a.get("value") for a in data["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(data["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded":
            self.console.append(data["entry"]["text"] + " " + data["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(data["request"]["url"])

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            self._take(message)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def wait(self, condition, seconds=120):
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.run(condition):
                    return
            except RuntimeError:
                pass  # the page is changing
            time.sleep(0.1)
        page = str(self.run("document.body.innerText"))
        disabled = self.run("[...document.querySelectorAll('button')].filter(b => b.disabled).map(b => b.id).join()")
        state = self.run("typeof state === 'object' ? JSON.stringify(state) : ''")
        raise AssertionError(f"never true: {condition}\ndisabled: {disabled}\nstate: {str(state)[:2000]}\n{page[:1500]}\n...\n{page[-1500:]}")

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], nodeId=node)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        if self.socket:
            self.socket.close()
        self.process.terminate()
        self.process.wait()
        for _ in range(50):  # its other processes may still be writing there
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)
