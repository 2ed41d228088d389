import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCAT = ['/usr/bin/socat', '/bin/socat'].find((path) => existsSync(path))

/** Says why there is no serial line; undefined where there is one. Skipped tests print it. */
export const socatIsMissing = SOCAT ? undefined : "NOT RUN on a serial line: Debian's package socat is not installed."

export interface SerialLine {
  readonly path: string
  unplug(): Promise<void>
}

/** Opens a serial port whose other end is a TCP port of this machine, by Debian's `socat`. */
export async function startSerialLine(tcpPort: number): Promise<SerialLine> {
  const path = join(mkdtempSync(join(tmpdir(), 'tty-')), 'tty')
  const child: ChildProcess = spawn(
    SOCAT ?? 'socat',
    ['-d', '-d', `pty,raw,echo=0,link=${path}`, `tcp:127.0.0.1:${tcpPort}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (said.includes('starting data transfer loop')) resolve()
    })
    child.once('exit', () => reject(new Error(`socat ended: ${said}`)))
  })
  return {
    path,
    async unplug() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
