import { Select } from '@mantine/core'
import { IconBulbOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { startEmergencyDark } from '#contract/http/insight/emergencyDark.ts'
import { createLightRuleSet, type LightRuleSetRow, listLightRuleSets } from '#contract/http/insight/lightRules.ts'
import { validText } from '#domain/lightRules/ruleText.ts'
import { monthAfter } from '#domain/statement/months.ts'
import { monthText } from '#domain/statement/statementText.ts'
import { ConflictsPanel } from './ConflictsPanel.tsx'
import { EmergencyPanel } from './EmergencyPanel.tsx'
import { RuleProofPanel } from './RuleProofPanel.tsx'
import { RuleSetsPanel } from './RuleSetsPanel.tsx'
import '#console/ui/ledger/ledger.css'
import './light-rules.css'

const EmergencyModal = lazyDialog(() =>
  import('#console/pickers/emergency/EmergencyModal.tsx').then((part) => part.EmergencyModal),
)
const ChangeRuleSetModal = lazyDialog(() => import('./ChangeRuleSetModal.tsx').then((part) => part.ChangeRuleSetModal))
const RuleSetModal = lazyDialog(() => import('./RuleSetModal.tsx').then((part) => part.RuleSetModal))

const OFFERED_MONTHS = 3

const NO_RULE_SET = (
  <Panel>
    <EmptyNote title="No rule set is in use">
      <p>
        Laws and permits say when displays have to be dark, or how bright they may be. Use one that comes along, or
        write your own.
      </p>
    </EmptyNote>
  </Panel>
)

/** Laws about light: what they ask for, which settings break them, and what came of it by month. */
export function LightRulesScreen() {
  const { values, unread, change } = useAddress('/light-rules')
  const sets = useCall(listLightRuleSets, {}, { keepsPrevious: true })
  const mayAdd = useMay(createLightRuleSet.permission)
  const mayDarken = useMay(startEmergencyDark.permission)
  const [open, setOpen] = useState<'emergency' | 'add'>()
  const [changed, setChanged] = useState<LightRuleSetRow>()
  usePaletteCommands([
    { actionId: 'emergency.start', label: 'Emergency dark', icon: IconBulbOff, run: () => setOpen('emergency') },
  ])
  const shown = sets.data?.rows.find(({ id }) => id === values.shown) ?? sets.data?.rows[0]
  return (
    <Screen
      title="Light rules"
      unread={unread}
      actions={
        <>
          {mayDarken && (
            <ActionButton icon={IconBulbOff} onClick={() => setOpen('emergency')}>
              Emergency dark
            </ActionButton>
          )}
          {mayAdd && (
            <ActionButton isMain icon={IconPlus} onClick={() => setOpen('add')}>
              Add rule set
            </ActionButton>
          )}
        </>
      }
    >
      <div className="stacked">
        <EmergencyPanel />
        <AsyncView query={sets} isEmpty={({ rows }) => rows.length === 0} empty={NO_RULE_SET}>
          {({ rows }) => <RuleSetsPanel rows={rows} shown={shown?.id} onChange={setChanged} />}
        </AsyncView>
        {shown && (
          <OfSet row={shown} rows={sets.data?.rows ?? []} month={values.month} onMonth={(month) => change({ month })} />
        )}
      </div>
      {open === 'emergency' && <EmergencyModal onClose={() => setOpen(undefined)} />}
      {changed && (
        <ChangeRuleSetModal
          row={changed}
          onClose={() => setChanged(undefined)}
          onSaved={(id) => change({ shown: id })}
        />
      )}
      {open === 'add' && <RuleSetModal files={sets.data?.files ?? []} onClose={() => setOpen(undefined)} />}
    </Screen>
  )
}

interface OfSetProps {
  readonly row: LightRuleSetRow
  readonly rows: readonly LightRuleSetRow[]
  readonly month: string | undefined
  readonly onMonth: (month: string | undefined) => void
}

function OfSet({ row, rows, month, onMonth }: OfSetProps) {
  const present = new Date().toISOString().slice(0, 7)
  const chosen = month ?? present
  return (
    <>
      <SourceLine row={row} rows={rows} />
      <ConflictsPanel key={`${row.id} ${row.set.validUntil}`} row={row} />
      <RuleProofPanel
        row={row}
        month={chosen}
        monthPicker={
          <Select
            aria-label="Month"
            allowDeselect={false}
            size="xs"
            data={Array.from({ length: OFFERED_MONTHS }, (_, index) => monthAfter(present, -index)).map((value) => ({
              ...{ value, label: monthText(value) },
            }))}
            value={chosen}
            onChange={(value) => onMonth(value ?? undefined)}
          />
        }
      />
    </>
  )
}

/** It names the text that asks for it, who put it here, and the versions before and after. */
function SourceLine({ row, rows }: Pick<OfSetProps, 'row' | 'rows'>) {
  const { id, set, createdAt, createdBy } = row
  const mayAudit = useMay(listAudit.permission)
  const before = rows.find((one) => one.id === row.replaces)
  const after = rows.find(({ replaces }) => replaces === id)
  return (
    <p className="light-rules-note">
      {set.source && `${set.source} `}
      {set.sourceUrl && (
        <>
          <a href={set.sourceUrl} target="_blank" rel="noreferrer">
            Read the text
          </a>
          {'. '}
        </>
      )}
      Added {formatMinute(createdAt)} by {createdBy}. {before && <Version name="Replaces" row={before} />}
      {after && <Version name="Replaced by" row={after} />}
      {mayAudit && (
        <Link to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS['Light rule'], entityId: id })}>
          Audit log
        </Link>
      )}
    </p>
  )
}

function Version({ name, row: { id, set } }: { readonly name: string; readonly row: LightRuleSetRow }) {
  return (
    <>
      {name}{' '}
      <Link to={address('/light-rules', { shown: id })}>
        {set.name}, {validText(set)}
      </Link>
      {'. '}
    </>
  )
}
