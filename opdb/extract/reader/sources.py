"""Files of checkouts at a ref, read from git without a work tree."""
import os
import re
import subprocess


class Checkout:
    def __init__(self, folder, name):
        """The repository `name` in a folder of checkouts: name, name.git, or with a work tree."""
        places = [os.path.join(folder, name, '.git'), os.path.join(folder, name), os.path.join(folder, name + '.git')]
        self.git_dir = next((place for place in places if os.path.exists(os.path.join(place, 'HEAD'))), None)
        if self.git_dir is None:
            raise FileNotFoundError('no checkout of %s in %s' % (name, folder))

    def git(self, *arguments, feed=None):
        done = subprocess.run(['git', '--git-dir', self.git_dir, *arguments], input=feed, capture_output=True)
        return done.stdout if done.returncode == 0 else None

    def resolve(self, ref):
        """A tag, a branch or a commit by its name, or None."""
        for name in ('refs/tags/' + ref, 'refs/heads/' + ref, 'refs/remotes/origin/' + ref, ref):
            found = self.git('rev-parse', '--verify', '--quiet', name + '^{commit}')
            if found:
                return found.decode().strip()
        return None

    def text(self, ref, path):
        commit = self.resolve(ref)
        found = self.git('show', '%s:%s' % (commit, path)) if commit else None
        return None if found is None else found.decode('utf-8', 'replace')

    def files(self, ref, wanted, unwanted=None):
        """{path: text} of the files of a ref whose path matches, in the order of their paths."""
        commit = self.resolve(ref)
        if commit is None:
            return {}
        found = []
        for line in self.git('ls-tree', '-r', '-z', commit).split(b'\0'):
            meta, _, path = line.partition(b'\t')
            path = path.decode('utf-8', 'replace')
            if path and re.search(wanted, path) and not (unwanted and re.search(unwanted, path)):
                found.append((path, meta.split()[2]))
        answer = self.git('cat-file', '--batch', feed=b''.join(blob + b'\n' for _, blob in found)) or b''
        texts, at = {}, 0
        for path, _ in found:
            head = answer[at:answer.index(b'\n', at)]
            at += len(head) + 1
            if head.endswith(b'missing'):
                continue
            size = int(head.split()[2])
            texts[path] = answer[at:at + size].decode('utf-8', 'replace')
            at += size + 1
        return texts
