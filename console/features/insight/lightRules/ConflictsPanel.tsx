import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { applyTurnDisplayOffSettings } from '#contract/http/devices/setup.ts'
import { type LightConflict, type LightRuleSetRow, listLightConflicts } from '#contract/http/insight/lightRules.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { changeText, hoursText, plannedText } from './conflictTexts.ts'

const ApplyModal = lazyDialog(() => import('./ApplyModal.tsx').then((part) => part.ApplyModal))

const COLUMNS: readonly Column<LightConflict>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: ({ name }) => name,
    to: ({ guid }) => address('/devices/$guid/setup', { guid }),
    title: ({ name, address: at, timeZone }) => [name, at, timeZone].filter(Boolean).join(', '),
  },
  { id: 'first', header: 'First', widthPx: 190, leaves: 3, cell: ({ first }) => first, foldsFor: () => true },
  {
    id: 'planned',
    header: 'Planned then',
    widthPx: 200,
    leaves: 1,
    isDim: true,
    cell: plannedText,
    title: plannedText,
  },
  { id: 'hours', header: 'In two weeks', widthPx: 100, isRight: true, cell: ({ minutes }) => hoursText(minutes) },
  {
    ...{ id: 'change', header: 'What would comply', leaves: 2, cell: changeText, title: changeText },
    foldsFor: () => true,
  },
]

/** The settings that break a rule set are shown before its nights come. */
export function ConflictsPanel({ row }: { readonly row: LightRuleSetRow }) {
  const found = useCall(listLightConflicts, { id: row.id }, { keepsPrevious: true })
  const mayApply = useMay(applyTurnDisplayOffSettings.permission)
  const [isApplying, setIsApplying] = useState(false)
  const rows = found.data?.rows ?? []
  const changeable = rows.filter(({ change }) => change !== null)
  return (
    <Panel
      title="Settings that break it"
      meta={
        <span className="light-rules-meta">
          <span className="light-rules-set">{row.set.name}</span>
          {mayApply && changeable.length > 0 && (
            <ActionButton icon={IconCheck} onClick={() => setIsApplying(true)}>
              Apply to {formatNumber(changeable.length)} {changeable.length === 1 ? 'device' : 'devices'}
            </ActionButton>
          )}
        </span>
      }
    >
      <AsyncView query={found}>
        {({ metDevices, unknown }) => (
          <>
            {rows.length === 0 ? (
              <p className="light-rules-note">
                {metDevices === 0
                  ? 'It meets no device whose position is known.'
                  : `All ${formatNumber(metDevices)} devices keep it in the two weeks that come, by their settings.`}
              </p>
            ) : (
              <DataTable
                label="Settings that break the rule set"
                columns={COLUMNS}
                rows={rows}
                rowKey={({ deviceId }) => deviceId}
              />
            )}
            {unknown.length > 0 && (
              <p className="light-rules-note">
                Without a position, so unknown:{' '}
                {unknown.slice(0, 10).map(({ deviceId, guid, name }, index) => (
                  <span key={deviceId}>
                    {index > 0 && ', '}
                    <Link to={address('/devices/$guid/details', { guid })}>{name}</Link>
                  </span>
                ))}
                {unknown.length > 10 && ` and ${formatNumber(unknown.length - 10)} more`}
              </p>
            )}
          </>
        )}
      </AsyncView>
      {isApplying && <ApplyModal conflicts={changeable} onClose={() => setIsApplying(false)} />}
    </Panel>
  )
}
