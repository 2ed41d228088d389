import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import type pg from 'pg'

/**
 * As others see a `nice` value: a third of the processor where somebody else wants it too, all of it where nobody does.
 * With less, who reads from a machine that is busy itself waits several times as long (docs/decisions/0248).
 */
const PRIORITY = 5

/** This thread. Linux; elsewhere it stays what it is. */
export function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITY)
  } catch {
    // Nothing depends on it.
  }
}

/** What works for this connection in a database on this machine, if we may say so. */
export function letYield(client: pg.ClientBase): void {
  const { host, processID } = client as unknown as { readonly host: string; readonly processID: number | null }
  if (!host.startsWith('/') || processID === null) return
  try {
    // In a container of its own it may have the number of somebody else here.
    if (readFileSync(`/proc/${processID}/cmdline`, 'utf8').startsWith('postgres:')) setPriority(processID, PRIORITY)
  } catch {
    // It is another user's, or gone.
  }
}
