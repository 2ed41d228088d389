import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { cpus, freemem, totalmem, uptime } from 'node:os'
import type { Hardware } from '../hardware.ts'
import type { ComputerReading } from '../readings.ts'
import { rebootHost } from './rebootHost.ts'

interface Counters {
  readonly atMs: number
  readonly busy: number
  readonly total: number
  readonly network: NetworkBytes | undefined
}

interface NetworkBytes {
  readonly received: number
  readonly sent: number
}

const tenths = (value: number) => Math.round(value * 10) / 10

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Sums the bytes of every interface but the loopback, from the text of `/proc/net/dev`. */
export function networkBytes(procNetDev: string | undefined): NetworkBytes | undefined {
  if (procNetDev === undefined) return undefined
  let received = 0
  let sent = 0
  for (const line of procNetDev.split('\n').slice(2)) {
    const [name, numbers] = line.split(':')
    if (!name || !numbers || name.trim() === 'lo') continue
    const columns = numbers.trim().split(/\s+/).map(Number)
    received += columns[0] ?? 0
    sent += columns[8] ?? 0
  }
  return { received, sent }
}

/** Reads the percentage of memory that programs cannot get from `/proc/meminfo`; caches do not count as used. */
export function memoryUsedPercent(procMeminfo: string | undefined): number {
  const kilobytes = (name: string) => Number(procMeminfo?.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1])
  const total = kilobytes('MemTotal')
  const available = kilobytes('MemAvailable')
  const share = total > 0 && available >= 0 ? 1 - available / total : 1 - freemem() / totalmem()
  return tenths(share * 100)
}

/** Returns the hottest zone that looks like a processor; undefined in most virtual machines. */
function processorTemperatureCelsius(): number | undefined {
  try {
    const zones = readdirSync('/sys/class/thermal').filter((name) => name.startsWith('thermal_zone'))
    const degrees = zones
      .filter((zone) => /cpu|pkg|core|soc|acpitz/i.test(textOf(`/sys/class/thermal/${zone}/type`) ?? ''))
      .map((zone) => Number(textOf(`/sys/class/thermal/${zone}/temp`)) / 1000)
      .filter((value) => Number.isFinite(value) && value > 0 && value < 150)
    return degrees.length > 0 ? tenths(Math.max(...degrees)) : undefined
  } catch {
    return undefined
  }
}

function diskUsedPercent(folder: string): number | undefined {
  try {
    const { blocks, bfree } = statfsSync(folder)
    return blocks > 0 ? tenths((1 - bfree / blocks) * 100) : undefined
  } catch {
    return undefined
  }
}

function counters(): Counters {
  let busy = 0
  let total = 0
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    busy += all - times.idle
    total += all
  }
  return { atMs: performance.now(), busy, total, network: networkBytes(textOf('/proc/net/dev')) }
}

/** Load and traffic are means since the reading before, so the first reading has neither. */
function rates(before: Counters | undefined, after: Counters): ComputerReading {
  if (!before || after.total <= before.total) return {}
  const seconds = (after.atMs - before.atMs) / 1000
  const load = tenths(((after.busy - before.busy) / (after.total - before.total)) * 100)
  if (!before.network || !after.network || seconds <= 0) return { cpu_load: load }
  const kilobytesPerSecond = (from: number, to: number) => tenths(Math.max(0, to - from) / 1000 / seconds)
  return {
    cpu_load: load,
    network_received: kilobytesPerSecond(before.network.received, after.network.received),
    network_sent: kilobytesPerSecond(before.network.sent, after.network.sent),
  }
}

/** This very computer. It has no display to talk to, and what it cannot measure stays unknown. */
export function createHostHardware(options: {
  readonly clientVersion: string
  readonly dataFolder: string
  readonly busctl?: string
}): Hardware {
  let before: Counters | undefined
  const nothing = () => undefined
  return {
    fit: nothing,
    computer: {
      read: async () => {
        const after = counters()
        const reading: ComputerReading = {
          client_version: options.clientVersion,
          status_id: 1,
          uptime: Math.floor(uptime()),
          cpu_temp: processorTemperatureCelsius(),
          memory_used: memoryUsedPercent(textOf('/proc/meminfo')),
          disk_used: diskUsedPercent(options.dataFolder),
          ...rates(before, after),
        }
        before = after
        return reading
      },
      reboot: () => rebootHost(options.busctl ?? 'busctl'),
    },
    display: nothing,
    ambientSensor: nothing,
    controller: nothing,
    ups: nothing,
    networkSwitches: nothing,
    powerSwitch: nothing,
    relay: nothing,
    routerRelay: nothing,
    camera: nothing,
    buttons: nothing,
  }
}
