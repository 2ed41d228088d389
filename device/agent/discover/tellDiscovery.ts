import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  DISCOVERY_REPLY_ID,
  type DiscoveryReport,
  discoveryReport,
  LONGEST_FOUND_TEXT,
  MOST_FOUND_PARTS,
  MOST_SEEN_PORTS,
} from '#contract/mqtt/discovery.ts'
import { withoutPaths } from '#device/hardware/composed/DriverSource.ts'
import { readConsoleOptions } from '#domain/drivers/consoleOptions.ts'
import { driverByName } from '#domain/drivers/drivers.ts'
import { DISCOVERY_FILE, type Discovery } from './discover.ts'

const LOOK_EVERY_MS = 5000

interface Sender {
  isUp(): boolean
  /** Publishes below the root of the device; resolves at the PUBACK. */
  publish(topic: string, payload: string): Promise<void>
}

/** Sends what the assistant has found, once for each time it was written and each start of the client. */
export function tellDiscovery(agent: Sender, dataFolder: string): () => void {
  const file = join(dataFolder, DISCOVERY_FILE)
  let sentMs: number | undefined
  const timer = setInterval(() => {
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (writtenMs === undefined || writtenMs === sentMs || !agent.isUp()) return
    sentMs = writtenMs
    const report = readReport(file)
    if (!report) return
    agent.publish(`replies/${DISCOVERY_REPLY_ID}`, JSON.stringify(report)).catch(() => {
      sentMs = undefined
    })
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

function readReport(file: string): DiscoveryReport | undefined {
  try {
    return discoveryReport.parse(sentDiscovery(JSON.parse(readFileSync(file, 'utf8')) as Discovery))
  } catch {
    return undefined
  }
}

/**
 * Leaves out what only the device's own file may name: operators see no path, and could not choose it. A secret, such as
 * a community, was typed on the device and stays there.
 */
export function sentDiscovery({ clientVersion, parts, seen }: Discovery): unknown {
  return {
    clientVersion,
    parts: parts.slice(0, MOST_FOUND_PARTS).map(({ part, driver, options, words }) => {
      const description = driverByName(driver)
      const isForConsole =
        description !== undefined &&
        'options' in readConsoleOptions(description, options) &&
        !Object.keys(options).some((name) => description.options[name]?.kind === 'secret')
      return {
        ...{ part, driver, options: isForConsole ? options : null },
        words: withoutPaths(words).slice(0, LONGEST_FOUND_TEXT),
      }
    }),
    seen: seen
      .slice(0, MOST_SEEN_PORTS)
      .map(({ kind, name }) => ({ kind, name: (kind === 'usb' ? name : basename(name)).slice(0, 200) })),
  }
}
