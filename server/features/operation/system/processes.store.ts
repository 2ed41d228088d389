import type pg from 'pg'
import { z } from 'zod'
import { type SystemProcess, systemProcess } from '#contract/http/operation/system.ts'
import { adviceFor } from '#domain/health/troubleAdvice.ts'

type Told = NonNullable<SystemProcess['told']>

/** What a process reports about itself, with moments in ISO 8601. */
export type ProcessReport = Omit<Told, 'at' | 'troubles'> & { readonly troubles: readonly string[] }

/** Reports of processes that run another version may not fit this schema and are left out. */
const REPORT = systemProcess.shape.told
  .unwrap()
  .omit({ at: true })
  .extend({ troubles: z.array(z.string()) })

export async function storeProcessReport(pool: pg.Pool, processId: string, report: ProcessReport): Promise<void> {
  const told = JSON.stringify(report)
  await pool.query('update server_process set told = $2, told_at = now() where id = $1', [processId, told])
}

interface Row {
  readonly id: string
  readonly started_at: Date
  readonly told: unknown
  readonly told_at: Date | null
}

/** Reads the processes whose lease is valid, the oldest first. */
export async function readProcesses(pool: pg.Pool): Promise<SystemProcess[]> {
  const { rows } = await pool.query<Row>(
    'select id, started_at, told, told_at from server_process where lease_until > now() order by started_at, id',
  )
  return rows.map(({ id, started_at, told, told_at }) => {
    const { data } = REPORT.safeParse(told)
    return {
      id,
      startedAt: started_at.toISOString(),
      told: data && told_at ? { ...data, at: told_at.toISOString(), troubles: data.troubles.map(withAdvice) } : null,
    }
  })
}

const withAdvice = (text: string) => ({ text, advice: adviceFor(text) ?? null })
