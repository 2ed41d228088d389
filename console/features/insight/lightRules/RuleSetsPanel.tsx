import { IconPencil, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { deleteLightRuleSet, endLightRuleSet, type LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import { placeText, ruleText, validText } from '#domain/lightRules/ruleText.ts'
import { formatNumber } from '#domain/units/numbers.ts'

interface Props {
  readonly rows: readonly LightRuleSetRow[]
  readonly shown: number | undefined
  readonly onChange: (row: LightRuleSetRow) => void
}

interface Row extends LightRuleSetRow {
  readonly isReplaced: boolean
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Rule set',
    isStrong: true,
    cell: ({ set }) => set.name,
    to: ({ id }) => address('/light-rules', { shown: id }),
    title: ({ set }) => [set.name, set.source, set.sourceUrl].filter(Boolean).join('\n'),
  },
  {
    ...textColumn('asks', 'Asks for', ({ set }: Row) => set.rules.map(ruleText).join('; ')),
    leaves: 4,
    foldsFor: () => true,
  },
  { ...textColumn('place', 'Place', ({ set }: Row) => placeText(set), { isDim: true }), widthPx: 120, leaves: 1 },
  {
    ...textColumn('customer', 'Customer', ({ customerName }: Row) => customerName ?? 'All', { isDim: true }),
    widthPx: 130,
    leaves: 2,
  },
  {
    ...textColumn(
      'valid',
      'Valid',
      ({ set, isReplaced }: Row) => `${validText(set)}${isReplaced ? ', replaced' : ''}`,
      {
        isDim: true,
      },
    ),
    widthPx: 230,
    leaves: 3,
  },
  {
    ...{ id: 'devices', header: 'Meets', widthPx: 150, isRight: true },
    cell: ({ metDevices, unknownDevices }) =>
      `${formatNumber(metDevices)}${unknownDevices > 0 ? ` (${formatNumber(unknownDevices)} unknown)` : ''}`,
    title: ({ unknownDevices }) => (unknownDevices > 0 ? 'Of unknown devices nobody entered a position' : ''),
  },
]

/** Orders sets so that those which were replaced stand below the one that replaces them. */
function inVersions(rows: readonly LightRuleSetRow[]): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const replaced = new Set(rows.map(({ replaces }) => replaces))
  return rows
    .filter(({ id }) => !replaced.has(id))
    .flatMap((newest) => {
      const versions: Row[] = []
      for (let row: LightRuleSetRow | undefined = newest; row; row = byId.get(row.replaces ?? 0))
        versions.push({ ...row, isReplaced: row !== newest })
      return versions
    })
}

/** Rule sets are never edited: one ends, and the next begins. */
export function RuleSetsPanel({ rows, shown, onChange }: Props) {
  const mayChange = useMay(endLightRuleSet.permission)
  const columns: readonly Column<Row>[] = mayChange
    ? [
        ...COLUMNS,
        {
          id: 'actions',
          header: 'Actions',
          widthPx: 136,
          hidesHeader: true,
          cell: (row) => <Actions {...{ row, onChange }} />,
        },
      ]
    : COLUMNS
  return (
    <Panel title="Rule sets">
      <DataTable
        label="Rule sets"
        columns={columns}
        rows={inVersions(rows)}
        rowKey={({ id }) => id}
        rowAttributes={({ id }) => ({ 'aria-current': id === shown || undefined })}
      />
    </Panel>
  )
}

function Actions({ row, onChange }: { readonly row: Row; readonly onChange: Props['onChange'] }) {
  const { id, set, mayChange, isReplaced } = row
  if (!mayChange) return null
  const today = new Date().toISOString().slice(0, 10)
  const lasts = set.validUntil === null || set.validUntil > today
  const hasBegun = set.validFrom === null || set.validFrom <= today
  return (
    <span className="light-rules-actions">
      {lasts && hasBegun && !isReplaced && (
        <IconButton icon={IconPencil} tip={`Change ${set.name}`} onClick={() => onChange(row)} />
      )}
      {lasts && hasBegun && (
        <IconButton
          icon={IconPlayerStop}
          tip={`End ${set.name}`}
          onClick={() =>
            void confirmAndChange(
              endLightRuleSet,
              { body: { id, validUntil: today } },
              {
                title: 'End rule set',
                text: `${set.name}. Its last night begins today. What was counted stays.`,
                done: 'Rule set ended',
              },
            )
          }
        />
      )}
      <IconButton
        icon={IconTrash}
        tip={`Delete ${set.name}`}
        onClick={() =>
          void confirmAndChange(
            deleteLightRuleSet,
            { body: { id } },
            {
              title: 'Delete rule set',
              text: `${set.name}, with every month that was counted by it.`,
              isDangerous: true,
              done: 'Rule set deleted',
            },
          )
        }
      />
    </span>
  )
}
