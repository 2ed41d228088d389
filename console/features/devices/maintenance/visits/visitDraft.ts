import type { DisplayVerdict } from '#console/deviceParts/DisplaysNow.tsx'
import type { BodyOf } from '#contract/call/call.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import type { recordVisit } from '#contract/http/devices/visits.ts'
import { VISIT_CHECKLIST } from '#domain/visits/checklist.ts'

export interface QueuedPhoto {
  readonly key: string
  readonly takenDt: string
  /** A JPEG in base64. */
  readonly jpeg: string
}

/** A visit that goes on. It is kept on this device with each change. */
export interface VisitDraft {
  readonly visitId: number | null
  readonly startedAt: string
  /** Undefined when the network did not tell it. */
  readonly before: readonly DisplayVerdict[] | undefined
  readonly checklist: readonly { readonly text: string; readonly isDone: boolean }[]
  readonly parts: readonly {
    readonly name: string
    readonly oldSerialNumber: string
    readonly newSerialNumber: string
  }[]
  readonly reasonId: number | null
  readonly actionId: number | null
  readonly resolutionId: number | null
  readonly comment: string
  readonly photos: readonly QueuedPhoto[]
}

export const newDraft = (
  now: Date,
  visitId: number | null,
  before: readonly DisplayVerdict[] | undefined,
): VisitDraft => ({
  visitId,
  startedAt: now.toISOString(),
  before,
  checklist: VISIT_CHECKLIST.map((text) => ({ text, isDone: false })),
  parts: [],
  ...{ reasonId: null, actionId: null, resolutionId: null },
  comment: '',
  photos: [],
})

/** What is missing before a visit can be finished, in words. */
export function draftTrouble({ comment, parts }: VisitDraft): string | undefined {
  if (comment.trim() === '') return 'Say in the comment what was done.'
  if (parts.some(({ name }) => name.trim() === '')) return 'Name each part that was exchanged, or remove its line.'
  return undefined
}

export function visitBody(device: Pick<Device, 'id'>, draft: VisitDraft, now: Date): BodyOf<typeof recordVisit> {
  const { visitId, reasonId, actionId, resolutionId, checklist, parts } = draft
  return {
    deviceId: device.id,
    visitId,
    startDt: draft.startedAt,
    // The clock of a telephone may be behind the server's, by which the visit began.
    endDt: new Date(Math.max(now.getTime(), Date.parse(draft.startedAt))).toISOString(),
    ...{ reasonId, actionId, resolutionId },
    actionComment: draft.comment.trim(),
    checklist: [...checklist],
    parts: parts.map((part) => ({ ...part, name: part.name.trim() })),
  }
}
