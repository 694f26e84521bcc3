"""Runs a target's command by Ansible."""
import json
import os

import fault

# Every result callback of ansible-core, and the environment variables that select it.
SHOWN = {
    "ansible": {},
    "ansible-verbose": {"ANSIBLE_VERBOSITY": "1"},
    "ansible-debug": {"ANSIBLE_VERBOSITY": "3"},
    "ansible-oneline": {"ANSIBLE_LOAD_CALLBACK_PLUGINS": "1", "ANSIBLE_STDOUT_CALLBACK": "oneline"},
    "ansible-playbook": {},
    "ansible-playbook-verbose": {"ANSIBLE_VERBOSITY": "1"},
    "ansible-playbook-yaml": {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"},
    "ansible-playbook-json": {"ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json"},
}


def run(bin, way, target, directory, limit=40):
    """(exit status or "hung", its output, the command line)."""
    options = [
        "-F", "none", "-o", f"UserKnownHostsFile={target['knownHosts']}", "-o", "GlobalKnownHostsFile=/dev/null",
        "-o", "StrictHostKeyChecking=yes", "-o", "NumberOfPasswordPrompts=1",
    ]
    if target["identity"]:
        options += ["-o", "IdentitiesOnly=yes"]
    if target["keepalive"]:
        options += ["-o", f"ServerAliveInterval={target['keepalive']}"]
    variables = {
        "ansible_host": target["host"], "ansible_port": target["port"], "ansible_user": target["user"],
        "ansible_ssh_private_key_file": target["identity"], "ansible_password": target["password"],
        "ansible_python_interpreter": "/usr/bin/python3",
    }
    hosts = {"all": {"hosts": {"web1": {key: value for key, value in variables.items() if value}}}}
    (directory / "hosts.json").write_text(json.dumps(hosts))
    task = {"name": "deploy", "ansible.builtin.shell": target["command"]}
    (directory / "site.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": [task]}]))
    if way.startswith("ansible-playbook"):
        words = ["ansible-playbook", "-i", "hosts.json", "site.yml"]
    else:
        words = ["ansible", "-i", "hosts.json", "web1", "-m", "shell", "-a", target["command"]]
    settings = SHOWN[way] | {
        "ANSIBLE_SSH_ARGS": " ".join(options), "ANSIBLE_TIMEOUT": str(target["connectTimeout"]), "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_LOCAL_TEMP": str(directory / "local"), "PATH": f"{bin}:{os.environ['PATH']}",
    }
    shown = ["sh", "-c", 'exec "$@" 2>&1', "sh", bin / words[0], *words[1:]]
    status, output, _ = fault.run(shown, target, directory, limit, settings=settings)
    return status, output, " ".join(words)
