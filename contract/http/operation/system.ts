import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'

const trouble = z.object({
  /** One sentence. */
  text: z.string(),
  /** What to do about it; null where nobody has written of it. */
  advice: z.string().nullable(),
})

export const systemProcess = z.object({
  id: z.string(),
  startedAt: momentValue,
  /** What it has told of itself last, every few seconds; null before it has, and of versions that tell nothing. */
  told: z
    .object({
      at: momentValue,
      version: z.string(),
      /** `api`, `gateway`, `jobs`. */
      roles: z.array(z.string()),
      isLeading: z.boolean(),
      connectedDevices: z.number().int(),
      memoryBytes: z.number().int(),
      /** How long the oldest report waits for the database; 0 when none does. */
      reportsWaitSeconds: z.number(),
      troubles: z.array(trouble),
      disks: z.array(z.object({ name: z.string(), freeBytes: z.number(), sizeBytes: z.number() })),
      /** Those that ran here, by name. */
      jobs: z.array(
        z.object({
          name: z.string(),
          endedAt: momentValue,
          succeededAt: momentValue.nullable(),
          /** It failed last time, and should have been done meanwhile: then it is among the troubles too. */
          isFailing: z.boolean(),
        }),
      ),
    })
    .nullable(),
})
export type SystemProcess = z.output<typeof systemProcess>

export const systemState = z.object({
  /** Oldest first. */
  processes: z.array(systemProcess),
  databaseBytes: z.number(),
  /** Days behind today for which every table of readings has its part. */
  partitionsAheadDays: z.number().int(),
  mailsWaiting: z.number().int(),
  /** How long the oldest of them that is due has waited. */
  mailsWaitSeconds: z.number(),
  commandsWaiting: z.number().int(),
  /** Hours of components that are over and not worked out. */
  rollupHoursWaiting: z.number().int(),
  /** When nothing was left to work out last. */
  rollupsWholeAt: momentValue.nullable(),
  /** null: none are taken. What cannot be read now is null in it. */
  backups: z
    .object({
      copies: z.number().int().nullable(),
      newestCopySeconds: z.number().nullable(),
      /** How far back the moment lies up to which everything can be restored. */
      restorableSeconds: z.number().nullable(),
    })
    .nullable(),
})
export type SystemState = z.output<typeof systemState>
/** What is true of all processes together. */
export type SystemFigures = Omit<SystemState, 'processes'>

export const getSystemState = call({
  method: 'GET',
  path: 'System/GetSystemState',
  summary: 'How the system is: its processes and their troubles with what to do, what waits, backups.',
  permission: 'staffAdmin',
  shows: [],
  query: nothing,
  body: nothing,
  answer: systemState,
  errors: [],
})
