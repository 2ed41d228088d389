import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DEPLOY = fileURLToPath(new URL('../../deploy/device', import.meta.url))
const LICENCE = fileURLToPath(new URL('../../LICENSE', import.meta.url))
const HOME = 'usr/lib/wayside-client'

export interface ClientParts {
  readonly version: string
  /** The signed release file. */
  readonly release: Uint8Array
  readonly launcher: Uint8Array
  /** A folder with `bin/node` and `LICENSE`. */
  readonly nodeFolder: string
}

/** Lays out what is installed, as it lies below the root of a device. */
export function layClientTree(root: string, { version, release, launcher, nodeFolder }: ClientParts): void {
  const place = (path: string) => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  const copy = (from: string, to: string) => copyFileSync(from, place(to))
  const program = (from: string, to: string) => {
    copy(from, to)
    chmodSync(join(root, to), 0o755)
  }
  program(join(nodeFolder, 'bin', 'node'), `${HOME}/node`)
  program(join(DEPLOY, 'setup'), `${HOME}/setup`)
  program(join(DEPLOY, 'discover'), 'usr/bin/wayside-discover')
  writeFileSync(place(`${HOME}/wayside-client.mjs`), release)
  writeFileSync(place(`${HOME}/wayside-launcher.mjs`), launcher)
  writeFileSync(place(`${HOME}/version`), `${version}\n`)
  copy(join(DEPLOY, 'wayside-client.service'), 'usr/lib/systemd/system/wayside-client.service')
  copy(join(DEPLOY, 'sysusers.conf'), 'usr/lib/sysusers.d/wayside-client.conf')
  copy(join(DEPLOY, 'journald.conf'), 'usr/lib/systemd/journald@wayside-client.conf.d/10-size.conf')
  copy(join(DEPLOY, 'polkit.rules'), 'usr/share/polkit-1/rules.d/50-wayside-client.rules')
  copy(LICENCE, 'usr/share/doc/wayside-client/copyright')
  copy(join(nodeFolder, 'LICENSE'), 'usr/share/doc/wayside-client/node-licences.txt')
  copy(join(DEPLOY, 'default'), 'etc/default/wayside-client')
}
