import type { AssignedRelease, ClientProgress } from '#contract/mqtt/client.ts'
import type { DeviceStore } from '../store/deviceStore.ts'

const REMEMBERED_AS = 'clientUpdate'
const MOST_KEPT = 10
const MOST_RUN = 100

interface Notes {
  /** The update that has begun and neither finished nor failed. */
  readonly open: AssignedRelease | null
  /** Counts how often the client of `open` was installed for the launcher. */
  readonly plans: number
  /** The results of updates, the newest last: an id that is done or failed stays so. */
  readonly over: readonly ClientProgress[]
  /** The newest progress of each update that the server has not acknowledged. */
  readonly unsent: readonly ClientProgress[]
  /** The versions that were healthy here, the newest run last. */
  readonly run: readonly string[]
}

export interface UpdateNotes {
  open(): AssignedRelease | undefined
  setOpen(offer: AssignedRelease | undefined): void
  /** Increments the count and returns the number before. */
  countPlan(): number
  end(updateId: string): ClientProgress | undefined
  lastEnd(): ClientProgress | undefined
  note(progress: ClientProgress): void
  unsent(): readonly ClientProgress[]
  /** Forgets exactly this one, because a newer one has still to be sent. */
  sent(progress: ClientProgress): void
  noteRun(version: string): void
  hasRun(version: string): boolean
}

export function openUpdateNotes(store: DeviceStore): UpdateNotes {
  let notes: Notes = {
    open: null,
    plans: 0,
    over: [],
    unsent: [],
    run: [],
    ...JSON.parse(store.remembered(REMEMBERED_AS) ?? '{}'),
  }
  const keep = (change: Partial<Notes>) => {
    notes = { ...notes, ...change }
    store.rememberSoon(REMEMBERED_AS, JSON.stringify(notes))
  }
  const others = (list: readonly ClientProgress[], { updateId }: ClientProgress) =>
    list.filter((each) => each.updateId !== updateId)
  return {
    open: () => notes.open ?? undefined,
    setOpen: (offer) => {
      const isSame = offer !== undefined && offer.updateId === notes.open?.updateId
      keep({ open: offer ?? null, plans: isSame ? notes.plans : 0 })
    },
    countPlan: () => {
      keep({ plans: notes.plans + 1 })
      return notes.plans - 1
    },
    end: (updateId) => notes.over.find((each) => each.updateId === updateId),
    lastEnd: () => notes.over.at(-1),
    note: (progress) => {
      const unsent = [...others(notes.unsent, progress), progress].slice(-MOST_KEPT)
      if (progress.step !== 'done' && progress.step !== 'failed') return keep({ unsent })
      const open = notes.open?.updateId === progress.updateId ? null : notes.open
      keep({ unsent, open, over: [...others(notes.over, progress), progress].slice(-MOST_KEPT) })
    },
    unsent: () => notes.unsent,
    noteRun: (version) => {
      if (notes.run.at(-1) !== version)
        keep({ run: [...notes.run.filter((one) => one !== version), version].slice(-MOST_RUN) })
    },
    hasRun: (version) => notes.run.includes(version),
    sent: (progress) => {
      if (notes.unsent.includes(progress)) keep({ unsent: notes.unsent.filter((each) => each !== progress) })
    },
  }
}
