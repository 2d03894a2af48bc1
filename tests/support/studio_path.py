#!/usr/bin/env python3
"""The way of a data-protection officer through ksda studio: a CSV from a spreadsheet, communities with a blank, risk, k,
release. Usage: studio_path.py ADDRESS CSV-TO-UPLOAD PEOPLE-CSV-IN-FOLDER SCREENSHOTS-FOLDER"""
import sys

from browser import Browser

address, upload, people, shots = sys.argv[1:5]
host = address.split("/?")[0]
b = Browser()
try:
    b.go(address)
    b.wait("document.getElementById('folder').textContent.length > 0")
    assert "token" not in b.run("location.href"), "the secret stays in the address"
    assert b.run("document.cookie") == "", "a script can read the secret"

    def ran(step, code):
        before = b.run("state.version")
        b.run(f"document.getElementById('run-{step}').click()")
        b.wait(f"state.version > {before} && state.steps['{step}'] && !state.steps['{step}'].running")
        got = b.run(f"state.steps['{step}'].code")
        assert got in code, f"{step} ended with {got}: " + str(b.run(f"JSON.stringify(state.steps['{step}'].messages)"))

    def widths(name):
        for width in (390, 768, 1280):
            b.resize(width)
            wide = b.run("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
            assert wide <= width, f"{name}: {wide} wide in {width}"
            b.screenshot(f"{shots}/{name}-{width}.png")

    # the built-in network: share bounds, and the trade-off between contacts and splits
    b.wait("state.steps.load && !state.running")
    ran("shares", [0])
    assert b.run("document.querySelectorAll('#out-shares tbody tr').length") == 3, "LesMis knows three of these bounds"
    b.run("by('share').value = 1; by('share').dispatchEvent(new Event('input'))")
    assert b.run("by('release-share').value") == "1/2" and "1/2" in b.run("by('share-words').innerText")
    ran("frontier", [0])
    b.run("by('point-0').click()")
    assert float(b.run("by('release-weight').value")) > 0, "the point of the frontier is not taken"
    widths("trade")
    b.run("by('share').value = 0; by('share').dispatchEvent(new Event('input')); by('release-weight').value = ''")

    b.choose_file("#upload", upload)
    file = upload.rsplit("/", 1)[-1]
    b.wait(f"document.getElementById('graph').value === '{file}'")
    ran("load", [0])
    assert "people" in b.run("document.getElementById('out-load').innerText")
    b.run(f"document.getElementById('communities-file').value = '{people}'")
    ran("communities", [3])
    assert "community" in b.run("document.getElementById('out-communities').innerText"), "nothing says who has none"
    b.run("document.getElementById('unassigned').value = 'together'")
    ran("communities", [0])
    assert "person without one" in b.run("document.getElementById('out-communities').innerText")
    b.run("document.getElementById('risk-k').value = 3")
    ran("risk", [0, 4])
    b.wait("document.querySelector('#out-risk iframe').contentDocument.querySelector('svg') !== null")
    ran("choose", [0])
    assert b.run("document.querySelectorAll('#out-choose tbody tr').length") >= 2
    assert b.run("document.querySelector('#chart svg') !== null")
    advised = b.run("advice().advised_k")
    assert b.run("Number(document.getElementById('release-k').value)") == advised, "the slider does not stand at the advice"
    widths("choose")
    b.run("document.getElementById('release-k').value = 2; document.getElementById('name').value = 'first'")
    ran("release", [0])
    b.wait("state.steps.verify && !state.steps.verify.running && !state.running")
    b.wait("document.getElementById('out-release').innerText.includes('once more from the files')")
    assert "ksda verify" in b.run("document.getElementById('out-release').innerText"), "the command that verifies is not shown"
    assert "Verified" in b.run("document.getElementById('out-release').innerText")
    b.wait("document.querySelector('#out-report iframe') && document.querySelector('#out-report iframe').contentDocument.querySelector('h1') !== null")

    before = b.run("document.getElementById('out-release').innerText")
    b.call("Page.reload")
    b.wait("document.readyState === 'complete' && typeof state === 'object' && state && state.steps.release")
    b.wait("document.getElementById('out-release').innerText.includes('Verified')")
    assert b.run("document.getElementById('out-release').innerText") == before, "a reload shows something else"
    assert b.run("document.getElementById('communities-file').value") == people, "a reload forgets what was chosen"
    widths("all")
    unnamed = b.run("[...document.querySelectorAll('input, select')].filter(e => !e.labels || !e.labels.length).map(e => e.id).join()")
    assert unnamed == "", f"fields without a label: {unnamed}"
    away = [u for u in b.requests if not u.startswith((host + "/", "data:", "about:", "chrome"))]
    assert not away, f"requests that leave: {away}"
    assert not b.console, f"the console says: {b.console}"
    map_requests = [u for u in b.requests if ".map" in u]
    assert not map_requests, map_requests
    print("the whole way")
finally:
    b.close()
