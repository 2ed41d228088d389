import type { AuditVerdict, KeptHead } from './verifyAudit.store.ts'

const KEPT = /^(\d{1,15}):([0-9a-f]{12,64})$/i

/**
 * Reads a head that somebody kept: `NUMBER:HEAD`, where the first 12 of 64 digits are enough.
 * @throws Error of one sentence
 */
export function readKeptHead(text: string): KeptHead {
  const [, number, head] = KEPT.exec(text) ?? []
  if (number === undefined || head === undefined) {
    throw new Error('A head is the number of its block, a colon and at least 12 of its digits.')
  }
  return { number: Number(number), head: head.toLowerCase() }
}

const counted = (count: number, noun: readonly [string, string]) => `${count} ${count === 1 ? noun[0] : noun[1]}`

/** Writes each finding on a line, and a summary at the end. */
export function verdictLabel({ findings, blocks, rows, erased, unsealed, newest }: AuditVerdict): string {
  const entries = counted(rows, ['entry', 'entries'])
  const sealed = `${entries} in ${counted(blocks, ['block', 'blocks'])}`
  return [
    ...findings,
    ...(erased === 0 ? [] : [`In ${counted(erased, ['entry', 'entries'])} a person was erased.`]),
    ...(unsealed === 0 ? [] : [`${counted(unsealed, ['entry is', 'entries are'])} not sealed yet.`]),
    ...(newest === undefined ? [] : [`Newest head: ${newest}`]),
    findings.length === 0
      ? `The audit log is as it was sealed: ${sealed}.`
      : `The audit log is not as it was sealed: ${counted(findings.length, ['finding', 'findings'])}, ${sealed}.`,
  ].join('\n')
}
