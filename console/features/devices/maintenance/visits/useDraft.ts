import { useEffect, useRef, useState } from 'react'
import { useUser } from '#console/lib/session/session.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import type { VisitDraft } from './visitDraft.ts'
import { dropDraft, keepDraft, keptDraft } from './visitQueue.ts'

interface Draft {
  /** Undefined while it is read, null when no visit goes on. */
  readonly draft: VisitDraft | null | undefined
  readonly change: (draft: VisitDraft) => void
  readonly end: () => Promise<void>
}

/** The visit that goes on at this device, kept with each change. */
export function useDraft(guid: DeviceGuid): Draft {
  const { id } = useUser()
  const [draft, setDraft] = useState<VisitDraft | null>()
  const keeping = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    let isOver = false
    void keptDraft(guid, id).then((kept) => isOver || setDraft((now) => now ?? kept ?? null))
    return () => {
      isOver = true
    }
  }, [guid, id])
  return {
    draft,
    change: (next) => {
      setDraft(next)
      // One after the other, so that the newest stays.
      keeping.current = keeping.current.then(() => keepDraft(guid, id, next))
    },
    end: async () => {
      await keeping.current
      await dropDraft(guid, id)
      setDraft(null)
    },
  }
}
