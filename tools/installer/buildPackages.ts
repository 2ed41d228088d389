import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Architecture, installFileName } from '#domain/releases/installFiles.ts'
import { run } from '../pack/run.ts'
import { arArchive } from './arArchive.ts'
import { type ClientParts, layClientTree } from './clientTree.ts'

/** Every file has this time, so that the same input gives the same bytes; Debian's checks refuse much earlier ones. */
const FILE_TIME_SECONDS = Date.UTC(2020, 0, 1) / 1000
const REPRODUCIBLE = [
  '--sort=name',
  '--format=gnu',
  `--mtime=@${FILE_TIME_SECONDS}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=go=rX,u+rw',
]
/** The bytes of several threads would depend on how many there are. */
const XZ = 'xz -T1 -6'

const CONFIGURATION_FILES = '/etc/default/wayside-client\n'
const AFTER_INSTALLING = `#!/bin/sh
set -e
if [ "$1" = configure ]; then /usr/lib/wayside-client/setup "$2"; fi
`
const BEFORE_REMOVING = `#!/bin/sh
set -e
if [ "$1" = remove ]; then
  if [ -d /run/systemd/system ]; then systemctl stop wayside-client.service; fi
  systemctl disable wayside-client.service
fi
`
const AFTER_REMOVING = `#!/bin/sh
set -e
if [ "$1" = purge ]; then rm -rf /var/lib/wayside-client; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`

/** Builds both forms of one release for one kind of processor: their files are compressed once. */
export function buildPackages(parts: ClientParts, architecture: Architecture, workFolder: string) {
  mkdirSync(workFolder, { recursive: true })
  const staging = mkdtempSync(join(workFolder, '.installer-'))
  try {
    const root = join(staging, 'root')
    layClientTree(root, parts)
    const archive = packFolder(root, join(staging, 'data.tar.xz'))
    const control = join(staging, 'control')
    writeControl(control, root, parts.version, architecture)
    const deb = arArchive(
      [
        { name: 'debian-binary', content: Buffer.from('2.0\n') },
        { name: 'control.tar.xz', content: packFolder(control, join(staging, 'control.tar.xz')) },
        { name: 'data.tar.xz', content: archive },
      ],
      FILE_TIME_SECONDS,
    )
    const { version } = parts
    return [
      { fileName: installFileName({ version, architecture, form: 'deb' }), content: deb },
      { fileName: installFileName({ version, architecture, form: 'tar.xz' }), content: archive },
    ]
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function packFolder(folder: string, file: string): Buffer {
  run('tar', ['-c', '-I', XZ, ...REPRODUCIBLE, '-f', file, '-C', folder, '.'], folder)
  return readFileSync(file)
}

function writeControl(folder: string, root: string, version: string, architecture: Architecture): void {
  const files = globSync('**/*', { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  const sums = files.map((path) => `${md5Of(join(root, path))}  ${path}\n`).join('')
  mkdirSync(folder)
  const write = (name: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  write('control', controlText(version, architecture, Math.ceil(bytes / 1024)))
  write('md5sums', sums)
  write('conffiles', CONFIGURATION_FILES)
  write('postinst', AFTER_INSTALLING, 0o755)
  write('prerm', BEFORE_REMOVING, 0o755)
  write('postrm', AFTER_REMOVING, 0o755)
}

/** Debian's format asks for this sum; what protects the package is the signed list of SHA-256. */
const md5Of = (file: string) => createHash('md5').update(readFileSync(file)).digest('hex')

const controlText = (version: string, architecture: Architecture, kilobytes: number) => `Package: wayside-client
Version: ${version}
Architecture: ${architecture}
Maintainer: Wayside <wayside@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), systemd (>= 245)
Suggests: ddcutil, gpiod
Section: net
Priority: optional
Description: client of Wayside for a display in the street
 Reads and switches the parts of a display, and reports to a Wayside server.
 It brings its own Node.js, and replaces itself by newer signed releases.
`
