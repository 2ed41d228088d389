import type { Draft } from '#console/lib/form/formErrors.ts'
import type { MaintenanceEntry, setMaintenance } from '#contract/http/devices/maintenance.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'

/** A value that is not chosen is undefined. */
export type EntryValues = {
  readonly startDt: Date | undefined
  readonly endDt: Date | undefined
  readonly modelComponentId: number | undefined
  readonly reasonId: number | undefined
  readonly actionId: number | undefined
  readonly resolutionId: number | undefined
  readonly alertId: AlertId | undefined
  readonly actionComment: string
}

export const ENTRY_LABELS: Readonly<Record<keyof EntryValues, string>> = {
  startDt: 'Start',
  endDt: 'End',
  modelComponentId: 'Component',
  reasonId: 'Reason',
  actionId: 'Action',
  resolutionId: 'Resolution',
  alertId: 'Linked alert',
  actionComment: 'Comment',
}

/** A new entry begins now, because people mostly write it while on site. */
export function newEntryValues(now: Date): EntryValues {
  return {
    startDt: new Date(Math.floor(now.getTime() / 60_000) * 60_000),
    endDt: undefined,
    modelComponentId: undefined,
    reasonId: undefined,
    actionId: undefined,
    resolutionId: undefined,
    alertId: undefined,
    actionComment: '',
  }
}

export function entryValuesOf(entry: MaintenanceEntry): EntryValues {
  return {
    startDt: new Date(entry.startDt),
    endDt: entry.endDt === null ? undefined : new Date(entry.endDt),
    modelComponentId: entry.modelComponentId ?? undefined,
    reasonId: entry.reasonId ?? undefined,
    actionId: entry.actionId ?? undefined,
    resolutionId: entry.resolutionId ?? undefined,
    alertId: entry.alertId ?? undefined,
    actionComment: entry.actionComment,
  }
}

export const entryErrors = ({ startDt, endDt }: EntryValues) =>
  endDt && startDt && endDt < startDt ? { endDt: `${notValid(ENTRY_LABELS.endDt)}: it lies before the start` } : {}

/** @param id 0 for a new entry */
export function entryBody(id: number, deviceId: DeviceId, values: EntryValues) {
  return {
    id,
    deviceId,
    startDt: values.startDt?.toISOString(),
    endDt: values.endDt?.toISOString() ?? null,
    modelComponentId: values.modelComponentId ?? null,
    reasonId: values.reasonId ?? null,
    actionId: values.actionId ?? null,
    resolutionId: values.resolutionId ?? null,
    alertId: values.alertId ?? null,
    actionComment: values.actionComment.trim(),
  } satisfies Draft<typeof setMaintenance>
}
