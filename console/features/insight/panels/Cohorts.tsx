import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { Panels } from '#contract/http/insight/panelLife.ts'

const KINDS = [
  { key: 'model', name: 'Model' },
  { key: 'batch', name: 'Batch' },
  { key: 'clientVersion', name: 'Client version' },
] as const

type Cohort = Panels['cohorts']['model'][number]
interface Row extends Cohort {
  readonly kind: string
}

const grouped = (number: number) => number.toLocaleString('en')

function betweenText({ between, atLeast, isTooFew }: Row): string {
  if (isTooFew) return 'Too few'
  return between === null ? `More than ${grouped(atLeast ?? 0)} h` : `${grouped(between)} h`
}

function boundsText({ atLeast, atMost, isTooFew }: Row): string {
  if (isTooFew || atLeast === null) return '–'
  return atMost === null ? `from ${grouped(atLeast)} h` : `${grouped(atLeast)} – ${grouped(atMost)} h`
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'kind', header: 'By', widthPx: 130, isDim: true, cell: ({ kind }) => kind },
  { id: 'name', header: 'Cohort', isStrong: true, hasNoPage: true, cell: ({ name }) => name },
  { id: 'between', header: 'Between failures', widthPx: 160, isRight: true, cell: betweenText },
  {
    ...{ id: 'bounds', header: '90 % interval', widthPx: 180, isRight: true, leaves: 1, foldedName: 'likely' },
    foldsFor: ({ isTooFew }) => !isTooFew,
    cell: boundsText,
  },
  {
    ...{ id: 'failures', header: 'Failures', widthPx: 90, isRight: true, leaves: 4, foldedName: 'failures' },
    cell: ({ failures }) => grouped(failures),
  },
  {
    ...{ id: 'devices', header: 'Devices', widthPx: 90, isRight: true, leaves: 3, foldedName: 'devices' },
    cell: ({ devices }) => grouped(devices),
  },
  {
    ...{ id: 'hours', header: 'Hours of light', widthPx: 120, isRight: true, leaves: 2, foldedName: 'hours' },
    cell: ({ hours }) => grouped(hours),
  },
]

const STACKED: StackedCell<Row> = {
  header: 'Cohort',
  cell: (row) => (
    <>
      <b>{row.name}</b>
      <span>
        {row.kind} · between failures: {betweenText(row)}
        {!row.isTooFew && `, ${boundsText(row)}`}
      </span>
      <span>
        Failures {grouped(row.failures)} · devices {grouped(row.devices)} · hours of light {grouped(row.hours)}
      </span>
    </>
  ),
}

/** Kinds that fail most often come first, and those that are too few last. */
export function Cohorts({ cohorts }: Pick<Panels, 'cohorts'>) {
  const rows = KINDS.flatMap(({ key, name }) => cohorts[key].map((cohort): Row => ({ ...cohort, kind: name })))
  if (rows.length === 0) return <p className="panels-none">No day was counted yet.</p>
  return (
    <DataTable
      label="Cohorts"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ kind, name }) => `${kind} ${name}`}
      stacked={STACKED}
    />
  )
}
