import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import type pg from 'pg'

/**
 * A thread with this `nice` value gets a third of the processor where others want it too, and all of it otherwise. A
 * lower priority would make readers on a busy machine wait several times as long (docs/decisions/0248).
 */
const PRIORITY = 5

/** Lowers the priority of this thread. It works on Linux only; elsewhere the priority stays. */
export function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITY)
  } catch {
    // A normal priority only makes others slower, so a failure is ignored.
  }
}

/** Lowers the priority of the database process that serves this connection, if it runs on this machine and we may. */
export function letYield(client: pg.ClientBase): void {
  const { host, processID } = client as unknown as { readonly host: string; readonly processID: number | null }
  if (!host.startsWith('/') || processID === null) return
  try {
    // A database in another container may have the number of an unrelated process here.
    if (readFileSync(`/proc/${processID}/cmdline`, 'utf8').startsWith('postgres:')) setPriority(processID, PRIORITY)
  } catch {
    // The process belongs to another user or has ended.
  }
}
