import { Button } from '@mantine/core'
import {
  IconArrowMerge,
  IconArrowsSplit2,
  IconBellRinging,
  IconCalendarPlus,
  IconCalendarTime,
  IconChevronDown,
  IconCircleCheck,
  IconNote,
  IconUserCheck,
  IconUserShare,
  IconZzz,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useUser } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { acknowledgeIncident, type IncidentDetails, snoozeIncident } from '#contract/http/alerting/incidents.ts'
import { isSnoozed } from '../IncidentBadges.tsx'
import { incidentMessages } from '../incidentLabels.ts'
import { openAlertsOf } from '../openAlertsOf.ts'
import type { IncidentDoing, Step } from './incidentDoing.ts'
import { SNOOZE_PRESETS } from './snoozePresets.ts'
import { usePress } from './usePress.ts'
import { useStepCommands } from './useStepCommands.ts'

const IncidentStepModal = lazyDialog(() => import('./IncidentStepModal.tsx').then((part) => part.IncidentStepModal))

interface IncidentSteps {
  readonly buttons: ReactNode
  readonly refusal: ReactNode
  readonly dialog: ReactNode
}

/**
 * The user must be allowed to change the incident.
 *
 * @param onSplit leads to where alerts can be selected
 */
export function useIncidentSteps(incident: IncidentDetails, onSplit: () => void): IncidentSteps {
  const { id, ownerId } = incident
  const { press, failure, isBusy } = usePress()
  const [step, setStep] = useState<Step>()
  const doing: IncidentDoing = {
    isBusy,
    isYours: ownerId === useUser().id,
    isSnoozed: isSnoozed(incident),
    take: () =>
      void press(async () => {
        await send(acknowledgeIncident, { body: { id } })
        return incidentMessages.taken
      }, acknowledgeIncident),
    snooze: (moment) =>
      void press(async () => {
        const until = moment?.toISOString() ?? null
        await send(snoozeIncident, { body: { id, until } })
        return until === null ? incidentMessages.woken : incidentMessages.snoozed(until)
      }, snoozeIncident),
    close: () =>
      void press(async () => {
        setStep(await openAlertsOf(id))
        return undefined
      }),
    begin: setStep,
    canSplit: incident.alertCount > 1,
    split: onSplit,
  }
  useStepCommands(incident, doing)
  return {
    buttons: <StepButtons incident={incident} doing={doing} />,
    refusal: failure !== undefined && <FormNote kind="failed" text={failure} />,
    dialog: step !== undefined && (
      <IncidentStepModal incident={incident} step={step} onClose={() => setStep(undefined)} />
    ),
  }
}

interface ButtonsProps {
  readonly incident: IncidentDetails
  readonly doing: IncidentDoing
}

function StepButtons({ incident, doing }: ButtonsProps) {
  const { openCount } = incident
  return (
    <div className="incident-steps">
      <ActionButton icon={IconUserCheck} isMain disabled={doing.isBusy || doing.isYours} onClick={doing.take}>
        {doing.isYours ? 'Owned by you' : 'Take ownership'}
      </ActionButton>
      <SnoozeMenu doing={doing} />
      {openCount > 0 && (
        <ActionButton icon={IconCircleCheck} disabled={doing.isBusy} onClick={doing.close}>
          Close
        </ActionButton>
      )}
      <MoreMenu incident={incident} doing={doing} />
    </div>
  )
}

function MoreMenu({ incident: { id, cause }, doing }: ButtonsProps) {
  const navigate = useNavigate()
  const plan = () =>
    navigate(address('/devices/$guid/maintenance', { guid: cause.deviceGuid, visit: 'new', incidentId: id }))
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuItem icon={IconUserShare} onClick={() => doing.begin('assign')}>
          Assign
        </MenuItem>
        <MenuItem icon={IconCalendarPlus} disabled={cause.deviceHasLeft} onClick={plan}>
          Plan a visit
        </MenuItem>
        <MenuItem icon={IconNote} onClick={() => doing.begin('note')}>
          Note
        </MenuItem>
        <MenuItem icon={IconArrowMerge} onClick={() => doing.begin('merge')}>
          Merge
        </MenuItem>
        <MenuItem icon={IconArrowsSplit2} disabled={!doing.canSplit} onClick={doing.split}>
          Split off
        </MenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function SnoozeMenu({ doing }: { readonly doing: IncidentDoing }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionButton icon={IconZzz} disabled={doing.isBusy} rightSection={<IconChevronDown size={14} aria-hidden />}>
          Snooze
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        {doing.isSnoozed && (
          <MenuItem icon={IconBellRinging} onClick={() => doing.snooze(null)}>
            Wake
          </MenuItem>
        )}
        {SNOOZE_PRESETS.map(({ label, until }) => (
          <Menu.Item key={label} onClick={() => doing.snooze(until(new Date(serverNowMs())))}>
            {label}
          </Menu.Item>
        ))}
        <MenuItem icon={IconCalendarTime} onClick={() => doing.begin('snooze')}>
          Until a moment…
        </MenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}
