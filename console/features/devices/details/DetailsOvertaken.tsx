import { useQuery } from '@tanstack/react-query'
import { OvertakenNote } from '#console/deviceParts/settings/OvertakenNote.tsx'
import { send } from '#console/lib/call/api.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { Age } from '#console/ui/Age.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import type { DeviceId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import {
  DETAILS_LABELS,
  type DetailsField,
  type DetailsValues,
  detailsValuesOf,
  differingDetails,
} from './detailsValues.ts'
import type { DetailsForm } from './useDetailsForm.ts'

/** The newest change of a field is among this many entries, unless its entry names no field. */
const ENTRIES_ASKED = 50
const NONE = 'none'
const listed = new Intl.ListFormat('en-GB')

interface Props {
  readonly device: Device
  readonly form: DetailsForm
}

export function DetailsOvertaken({ device, form }: Props) {
  const { overtaken, values } = form
  const now = detailsValuesOf(device)
  const theirs = overtaken ? differingDetails(overtaken, now) : []
  const mine = differingDetails(now, values)
  const author = useAuthor(device.id, theirs, JSON.stringify(now))
  const customers = useCall(listCustomers, {}, { enabled: theirs.includes('customerId') })
  if (!overtaken || theirs.length === 0) return null
  const write = (of: DetailsValues, name: DetailsField) => {
    if (name === 'modelId') return of.modelId === undefined ? UNKNOWN_TEXT : deviceModelName(of.modelId)
    if (name === 'customerId') return customers.data?.find(({ id }) => id === of.customerId)?.name ?? UNKNOWN_TEXT
    return name === 'tags' ? of.tags.join(' · ') || NONE : String(of[name] ?? '') || NONE
  }
  const shown = theirs.map((name) => ({
    key: name,
    label: DETAILS_LABELS[name],
    before: write(overtaken, name),
    theirs: write(now, name),
    yours: mine.includes(name) ? write(values, name) : UNKNOWN_TEXT,
  }))
  return (
    <OvertakenNote values={shown}>
      {author.data?.names || 'Somebody'} changed this device while you were changing it
      {author.data?.at && (
        <>
          , <Age at={author.data.at} />
        </>
      )}
      .{' '}
      {theirs.some((name) => mine.includes(name))
        ? 'Save changes sets yours over theirs; what you have not changed stays as they set it.'
        : 'It stays as they set it: what you change is something else.'}
    </OvertakenNote>
  )
}

/**
 * It reads who last set these fields, and when, from the audit log.
 *
 * @param recordKey a new key reads again
 */
function useAuthor(deviceId: DeviceId, fields: readonly DetailsField[], recordKey: string) {
  return useQuery({
    queryKey: [listAudit.path, 'of device', deviceId, recordKey],
    queryFn: async ({ signal }) => {
      const body = { rowNum: 1, pageSize: ENTRIES_ASKED, entityTypeId: AUDIT_ENTITY_IDS.Device, entityId: deviceId }
      const answer = await send(listAudit, { body, signal })
      return authorsOf(Array.isArray(answer) ? answer : answer.rows, fields)
    },
    enabled: fields.length > 0,
  })
}

function authorsOf(rows: readonly AuditEntry[], fields: readonly DetailsField[]) {
  const lastOf = (field: DetailsField) =>
    rows.find(({ outcome, after }) => outcome === 'done' && Object.hasOwn((after ?? {}) as object, field))
  const entries = fields.flatMap((field) => lastOf(field) ?? [])
  const names = listed.format(new Set(entries.map(({ username }) => username)))
  return {
    names,
    at: entries
      .map(({ inserted }) => inserted)
      .toSorted()
      .at(-1),
  }
}
