import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refresh, useChange } from '#console/lib/call/useCall.ts'
import { rangeOf } from '#console/lib/form/fieldBounds.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { NumberField } from '#console/ui/number/NumberField.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Release } from '#contract/http/software/releases.ts'
import { createClientUpdate, previewClientUpdate, type UpdatePreview } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { createBody, firstPlan, newerThan, type PlanValues } from '../planValues.ts'
import { DeviceChoice } from './DeviceChoice.tsx'
import { FirstGroup } from './FirstGroup.tsx'
import { PlanPreviewPanel } from './PlanPreviewPanel.tsx'
import { usePlanPreview } from './usePlanPreview.ts'
import { WaveFields } from './WaveFields.tsx'

const WAIT_MINUTES = rangeOf(createClientUpdate, 'waitMinutes')
const OBSERVE_MINUTES = rangeOf(createClientUpdate, 'observeMinutes')
const HALT_PERCENT = rangeOf(createClientUpdate, 'haltFailurePercent')

interface Props {
  /** There is at least one, and the newest stands first. */
  readonly releases: readonly Release[]
  readonly deviceIds: readonly DeviceId[] | undefined
}

export function NewUpdateForm({ releases, deviceIds }: Props) {
  const newest = releases.find(({ isNewest }) => isNewest) ?? releases[0]
  const [values, setValues] = useState<PlanValues>(() => firstPlan(newest?.id ?? 0, deviceIds))
  const set = (changes: Partial<PlanValues>) => setValues((before) => ({ ...before, ...changes }))
  const preview = usePlanPreview(values)
  const target = releases.find(({ id }) => id === values.releaseId)
  const downgrade = downgradeText(newerThan(releases, values.releaseId), target, preview.result.data?.downgradeCount)
  const { create, isBusy } = useCreateUpdate()
  const known = preview.isOld ? undefined : preview.result.data
  const mayStart = known !== undefined && known.updateCount > 0 && (downgrade === undefined || values.isDowngradeMeant)

  return (
    <form
      noValidate
      className="plan"
      aria-label="New client update"
      onSubmit={(event) => {
        event.preventDefault()
        if (known && target && mayStart) void create(values, target.version, known)
      }}
    >
      <div className="plan-fields">
        <TargetPanel releases={releases} values={values} set={set} downgrade={downgrade} />
        <DeviceChoice values={values} set={set} />
        <Panel title="Waves" isPadded>
          <FirstGroup values={values} set={set} />
          <WaveFields values={values} set={set} />
          <WaveLimits values={values} set={set} />
        </Panel>
      </div>
      <div className="plan-side">
        <PlanPreviewPanel preview={preview} version={target?.version ?? ''} values={values}>
          <Group justify="flex-end" gap="sm" mt="md">
            <Button variant="default" component={Link} to={address('/device-software/rollouts')}>
              Cancel
            </Button>
            <Button type="submit" disabled={!mayStart} loading={isBusy}>
              Start update
            </Button>
          </Group>
        </PlanPreviewPanel>
      </div>
    </form>
  )
}

interface PartProps {
  readonly values: PlanValues
  readonly set: (changes: Partial<PlanValues>) => void
}

interface TargetProps extends PartProps {
  readonly releases: readonly Release[]
  readonly downgrade: string | undefined
}

function TargetPanel({ releases, values, set, downgrade }: TargetProps) {
  return (
    <Panel title="Target" isPadded>
      <Select
        label="Release"
        data={releases.map(({ id, version, isNewest }) => ({
          value: String(id),
          label: isNewest ? `${version} (newest)` : version,
        }))}
        value={String(values.releaseId)}
        onChange={(id) => set({ releaseId: Number(id), isDowngradeMeant: false })}
        allowDeselect={false}
        searchable
      />
      {downgrade && (
        <div className="plan-downgrade">
          <FormNote kind="failed" text={downgrade} />
          <Checkbox
            size="xs"
            label="Yes, downgrade these devices"
            checked={values.isDowngradeMeant}
            onChange={({ currentTarget }) => set({ isDowngradeMeant: currentTarget.checked })}
          />
        </div>
      )}
    </Panel>
  )
}

/** It sets how long a wave may take, and when the rollout halts automatically. */
function WaveLimits({ values, set }: PartProps) {
  return (
    <>
      <div className="plan-line">
        <span>Observe each device until the new version has run for</span>
        <NumberField
          label="Observe each device for"
          value={values.observeMinutes}
          onChange={(observeMinutes) => set({ observeMinutes })}
          {...OBSERVE_MINUTES}
          unit="min"
        />
      </div>
      <div className="plan-line">
        <span>Wait between waves</span>
        <NumberField
          label="Wait between waves"
          value={values.waitMinutes}
          onChange={(waitMinutes) => set({ waitMinutes })}
          {...WAIT_MINUTES}
          unit="min"
        />
      </div>
      <div className="plan-line">
        <span>Halt when this share of the devices reached so far has failed</span>
        <NumberField
          label="Halt at failure share"
          value={values.haltFailurePercent}
          onChange={(haltFailurePercent) => set({ haltFailurePercent })}
          {...HALT_PERCENT}
          unit="%"
        />
      </div>
    </>
  )
}

/** It returns undefined when the target is not old and no device would be downgraded. */
function downgradeText(newer: Release | undefined, target: Release | undefined, count = 0): string | undefined {
  if (!newer && count === 0) return undefined
  const devices =
    count === 0
      ? 'None of the chosen devices runs a newer version now.'
      : count === 1
        ? 'One of the chosen devices runs a newer version and would go back.'
        : `${formatNumber(count)} of the chosen devices run a newer version and would go back.`
  return `This is a downgrade. ${newer ? `${newer.version} is newer than ${target?.version}. ` : ''}${devices}`
}

/** It asks before it starts a rollout, naming the number of devices and the version, and then shows its progress. */
function useCreateUpdate() {
  const navigate = useNavigate()
  const change = useChange(createClientUpdate, {
    onDone: ({ id, version }) => {
      toasts.success(deviceMessages.updateStarted(version))
      navigate(address('/device-software/rollouts/$updateId', { updateId: String(id) }), { replace: true })
    },
  })
  const create = async (values: PlanValues, version: string, { updateCount, waves }: UpdatePreview) => {
    const text = deviceMessages.confirmCreateUpdate(updateCount, version, waves[0] ?? updateCount)
    if (
      !(await confirmDialog({
        title: 'Start update',
        text,
        isDangerous: values.isDowngradeMeant,
        call: createClientUpdate,
      }))
    )
      return
    // The call was refused because the devices have changed since, so the preview is out of date.
    change.mutate({ body: createBody(values) }, { onError: () => void refresh(previewClientUpdate) })
  }
  return { create, isBusy: change.isPending }
}
