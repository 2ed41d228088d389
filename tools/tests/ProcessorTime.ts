import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that starts and ends unawaited between two samples is missed, so they are frequent. */
const LOOK_EVERY_MS = 1_000
/** Linux reports times in hundredths of a second, whatever its kernel counts in. */
const TICKS_PER_SECOND = 100
/** Every process of a run inherits it, so that one is known whose parents were gone before it was seen. */
const RUN_MARK = 'TEST_RUN_MARK'

interface Process {
  readonly pid: number
  readonly parentPid: number
  readonly startedAtTick: number
  readonly ownTicks: number
  /** The time of its ended children and theirs, as far as they were waited for. */
  readonly waitedTicks: number
}

/**
 * Adds up the processor time of this process and of everything that came from it. The kernel adds an ended process to
 * the parent that waits for it. One whose parent ended first, such as a database that was started to stay, or an agent
 * that was killed together with its launcher, is added to nobody: its last seen time is kept here.
 */
export class ProcessorTime {
  readonly #mark = randomUUID()
  readonly #outerMarks = process.env[RUN_MARK]
  readonly #timer: NodeJS.Timeout | undefined
  #ours = new Map<number, Process>()
  /** Processes of others, by their id and start, so that the mark of each is read only once. */
  #others = new Set<string>()
  #lostTicks = 0

  constructor() {
    if (!existsSync('/proc/self/stat')) return
    // A test of the tests runs within a run, whose mark its processes keep.
    process.env[RUN_MARK] = [this.#outerMarks, this.#mark].filter(Boolean).join(' ')
    this.#look()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /** @returns undefined where there is no /proc: on macOS and Windows */
  seconds(): number | undefined {
    if (this.#timer === undefined) return undefined
    this.#look()
    return (this.#lostTicks + sumTicks(this.#ours.values())) / TICKS_PER_SECOND
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    if (this.#outerMarks === undefined) delete process.env[RUN_MARK]
    else process.env[RUN_MARK] = this.#outerMarks
  }

  #look(): void {
    const before = this.#ours
    this.#ours = this.#findOurs(readProcesses())
    this.#lostTicks += lostTicks(before, this.#ours)
  }

  #findOurs(present: ReadonlyMap<number, Process>): Map<number, Process> {
    const ours = new Map<number, Process>()
    const others = new Set<string>()
    const decided = new Map<number, boolean>()
    const isOurs = (one: Process): boolean => {
      const known = decided.get(one.pid)
      if (known !== undefined) return known
      // A process is decided before its parent, so that reused ids cannot lead in a circle.
      decided.set(one.pid, false)
      const parent = present.get(one.parentPid)
      const found =
        one.pid === process.pid ||
        isSame(this.#ours.get(one.pid), one) ||
        (parent !== undefined && isOurs(parent)) ||
        (!this.#others.has(nameOf(one)) && isMarked(one.pid, this.#mark))
      decided.set(one.pid, found)
      return found
    }
    for (const one of present.values()) {
      if (isOurs(one)) ours.set(one.pid, one)
      else others.add(nameOf(one))
    }
    this.#others = others
    return ours
  }
}

/** Returns the time of ended processes for which nobody waited; waited time shows at a living ancestor. */
function lostTicks(before: ReadonlyMap<number, Process>, now: ReadonlyMap<number, Process>): number {
  const goneTicks = new Map<number | undefined, number>()
  for (const one of before.values()) {
    if (isSame(now.get(one.pid), one)) continue
    const heir = findHeir(one, before, now)
    goneTicks.set(heir, (goneTicks.get(heir) ?? 0) + sumTicks([one]))
  }
  let lost = 0
  for (const [heir, ticks] of goneTicks) {
    const grown = heir === undefined ? 0 : waitedTicks(now, heir) - waitedTicks(before, heir)
    lost += Math.max(0, ticks - grown)
  }
  return lost
}

/** Returns the nearest living ancestor of an ended process; none where the chain ends at others, as at init. */
function findHeir(
  gone: Process,
  before: ReadonlyMap<number, Process>,
  now: ReadonlyMap<number, Process>,
): number | undefined {
  const parent = before.get(gone.parentPid)
  if (parent === undefined) return undefined
  return isSame(now.get(parent.pid), parent) ? parent.pid : findHeir(parent, before, now)
}

function readProcesses(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const one = /^\d+$/.test(name) ? readProcess(name) : undefined
    if (one !== undefined) found.set(one.pid, one)
  }
  return found
}

function readProcess(name: string): Process | undefined {
  const stat = readOwn(name, 'stat')
  if (stat === undefined) return undefined
  // The name of the program stands in parentheses and may itself hold some, and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (index: number) => Number(fields[index])
  return {
    pid: Number(name),
    parentPid: field(1),
    startedAtTick: field(19),
    ownTicks: field(11) + field(12),
    waitedTicks: field(13) + field(14),
  }
}

/** Returns undefined for a process that has just ended, and for one of another user. */
function readOwn(pid: string, file: 'stat' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return undefined
  }
}

const isMarked = (pid: number, mark: string) => readOwn(String(pid), 'environ')?.includes(mark) ?? false

const isSame = (known: Process | undefined, { startedAtTick }: Process) => known?.startedAtTick === startedAtTick

const nameOf = ({ pid, startedAtTick }: Process) => `${pid} ${startedAtTick}`

const waitedTicks = (processes: ReadonlyMap<number, Process>, pid: number) => processes.get(pid)?.waitedTicks ?? 0

function sumTicks(processes: Iterable<Process>): number {
  let sum = 0
  for (const one of processes) sum += one.ownTicks + one.waitedTicks
  return sum
}
