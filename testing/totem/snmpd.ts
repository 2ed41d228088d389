import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SNMPD = '/usr/sbin/snmpd'
/** Says why no agent can be tested; undefined where Debian's snmpd is installed. Skipped tests print it. */
export const snmpdIsMissing = existsSync(SNMPD)
  ? undefined
  : "NOT RUN with a real SNMP agent: Debian's package snmpd is not installed."

export interface Snmpd {
  readonly port: number
  readonly community: string
  /** The user may change values too. */
  readonly user: { readonly user: string; readonly authPassword: string; readonly privPassword: string }
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  socket.close()
  return port
}

/**
 * Starts Net-SNMP's agent by path in a folder of its own, with given values of some objects.
 *
 * @param overrides as its configuration writes them: `1.3.6.1.2.1.33.1.2.4.0 integer 97`
 */
export async function startSnmpd(overrides: readonly string[], port?: number): Promise<Snmpd> {
  const folder = mkdtempSync(join(tmpdir(), 'snmpd-'))
  const own = port ?? (await freePort())
  const user = { user: 'wayside', authPassword: 'authentic words', privPassword: 'private words' }
  const lines = [
    'rwcommunity cabinet',
    `createUser ${user.user} SHA "${user.authPassword}" AES "${user.privPassword}"`,
    `rwuser ${user.user}`,
    ...overrides.map((line) => `override -rw ${line}`),
  ]
  writeFileSync(join(folder, 'snmpd.conf'), `${lines.join('\n')}\n`)
  const env = { SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  const child = spawn(SNMPD, ['-f', '-Le', '-C', '-c', join(folder, 'snmpd.conf'), `udp:127.0.0.1:${own}`], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (said.includes('NET-SNMP version')) resolve()
    })
    child.once('exit', () => reject(new Error(`snmpd ended: ${said}`)))
  })
  return {
    port: own,
    community: 'cabinet',
    user,
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
