import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { type UnusualFields as Answer, getUnusualFields } from '#contract/http/devices/records.ts'
import { FEWEST_EARLIER_DAYS, MOST_EARLIER_DAYS } from '#domain/analytics/unusual.ts'
import { measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { similarFields } from './similarFields.ts'

type Field = Answer['fields'][number]

/** A row is a field, or the first of several similar fields, which it lists while they are folded. */
interface Row extends Field {
  readonly key: string
  readonly alike?: { readonly fields: readonly Field[]; readonly isOpen: boolean; readonly onFold: () => void }
  readonly isWithin?: boolean
}

interface Props {
  readonly device: { readonly id: DeviceId; readonly name: string }
  /** The period lasts at most a day. */
  readonly window: Period
}

/** It shows the fields that differed most from the same hours of earlier days. */
export function UnusualFields({ device, window }: Props) {
  const query = { deviceId: device.id, dateFrom: window.from.toISOString(), dateTo: window.to.toISOString() }
  const result = useCall(getUnusualFields, query, { keepsPrevious: true })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const fold = (key: string) =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))
  const rowsOf = (fields: readonly Field[]) =>
    similarFields(fields).flatMap(({ key, members }): Row[] => {
      const [first] = members
      if (members.length === 1) return [{ ...first, key }]
      const isOpen = open.has(key)
      const head: Row = { ...first, key, alike: { fields: members, isOpen, onFold: () => fold(key) } }
      return isOpen
        ? [head, ...members.map((one) => ({ ...one, key: `${key} ${one.fieldId}`, isWithin: true }))]
        : [head]
    })
  return (
    <AsyncView
      query={result}
      isEmpty={({ fields }) => fields.length === 0}
      empty={<NothingUnusual answer={result.data} />}
    >
      {({ fields, withoutHistory }) => (
        <>
          <DataTable
            label="Find related changes"
            columns={columnsOf(device, window)}
            rows={rowsOf(fields)}
            rowKey={({ key }) => key}
          />
          {withoutHistory > 0 && (
            <p className="timeline-silent">
              {withoutHistory} more could not be compared: fewer than {FEWEST_EARLIER_DAYS} earlier days.
            </p>
          )}
        </>
      )}
    </AsyncView>
  )
}

function NothingUnusual({ answer }: { readonly answer: Answer | undefined }) {
  if (!answer || answer.compared + answer.withoutHistory === 0) return <EmptyNote title="Nothing was measured then" />
  if (answer.compared === 0) {
    return (
      <EmptyNote title="Not enough history">
        A window is compared with the same hours of at least {FEWEST_EARLIER_DAYS} earlier days.
      </EmptyNote>
    )
  }
  return (
    <EmptyNote title="Nothing was unusual">
      {answer.compared} measurements were as in the same hours of up to {MOST_EARLIER_DAYS} earlier days.
    </EmptyNote>
  )
}

function columnsOf(device: Props['device'], { from, to }: Period): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      header: 'Measurement',
      isStrong: true,
      staysWhenStacked: true,
      cell: ({ fieldId, alike, isWithin }) =>
        alike ? (
          <AlikeName name={nameOf(fieldId)} alike={alike} />
        ) : (
          <Link className={isWithin ? 'unusual-within' : undefined} to={chartOf(device, fieldId, from, to)}>
            {nameOf(fieldId)}
          </Link>
        ),
    },
    {
      id: 'value',
      header: 'Then',
      widthPx: 130,
      isRight: true,
      staysWhenStacked: true,
      cell: ({ value, alike }) => rangeLabel((alike?.fields ?? [{ value }]).map((one) => one.value)),
    },
    {
      id: 'usual',
      header: 'Usual',
      widthPx: 160,
      isRight: true,
      cell: ({ alike, ...one }) =>
        rangeLabel((alike?.fields ?? [one]).flatMap(({ usualFrom, usualTo }) => [usualFrom, usualTo])),
    },
    {
      id: 'score',
      header: 'Away by',
      widthPx: 90,
      isRight: true,
      isDim: true,
      leaves: 1,
      cell: ({ score }) => `${formatNumber(Math.round(score))} ×`,
      title: () => 'How far from the middle of the earlier days, in units of how much they differ',
    },
    { id: 'at', header: 'Hour', widthPx: 140, leaves: 2, cell: ({ at }) => formatMinute(at) },
  ]
}

function AlikeName({
  name,
  alike: { fields, isOpen, onFold },
}: {
  readonly name: string
  readonly alike: NonNullable<Row['alike']>
}) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <button type="button" className="unusual-alike" aria-expanded={isOpen} onClick={onFold}>
      <Chevron size={14} aria-hidden />
      {name} and {fields.length - 1} like it
    </button>
  )
}

function rangeLabel(values: readonly number[]): string {
  const [lowest, highest] = [formatNumber(Math.min(...values)), formatNumber(Math.max(...values))]
  return lowest === highest ? lowest : `${lowest} to ${highest}`
}

function nameOf(fieldId: FieldId): string {
  const numbered = numberedFieldById(fieldId)
  return numbered ? `${numbered.groupName}: ${measurementName(numbered)}` : String(fieldId)
}

/** Analytics opens with the day before as well, so that the usual course can be compared. */
function chartOf(device: Props['device'], metricId: FieldId, from: Date, to: Date) {
  const numbered = numberedFieldById(metricId)
  const metric = {
    deviceId: device.id,
    deviceName: device.name,
    metricId,
    metricName: numbered ? measurementName(numbered) : null,
    evTypeId: numbered?.type.id ?? null,
  }
  const dateFrom = new Date(from.getTime() - DAY_MS).toISOString()
  return address('/analytics', { data: { metric, dateFrom, dateTo: to.toISOString(), removeExisting: true } })
}
