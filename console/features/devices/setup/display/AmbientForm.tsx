import type { AmbientNumberKey } from '#console/deviceParts/settings/settingNumbers.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { rangeOf } from '#console/lib/form/fieldBounds.ts'
import { LUX_SCALE } from '#console/ui/form/luxSlider.ts'
import { RangeField } from '#console/ui/form/RangeField.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { applyAmbientSensorSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { Numbered } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { SectionFoot } from '../section/SectionFoot.tsx'
import { type AmbientValues, ambientBase, curveOnDevice } from '../section/settingValues.ts'
import { type Target, useSectionForm } from '../section/useSectionForm.ts'
import { CurvePreview } from './CurvePreview.tsx'
import { DefaultNote } from './DefaultNote.tsx'

const BACKLIGHT_PERCENT = rangeOf(applyAmbientSensorSettings, 'dMaxBacklight')
const AMBIENT_LUX = rangeOf(applyAmbientSensorSettings, 'dMaxAmbientLight')

interface AmbientFormProps {
  readonly sensor: Numbered
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

export function AmbientForm({ sensor: { number }, view, readings }: AmbientFormProps) {
  const section = sectionOf(view, 'ambientSensor', number)
  const base = ambientBase(number, readings, section)
  const { deviceId } = view
  const target = { deviceId, section: 'ambientSensor', number } as const
  const form = useSectionForm<AmbientValues>(base.values, target, section)
  const { values, change } = form
  const noteFor = (...keys: (keyof AmbientValues)[]) => (
    <DefaultNote isShown={keys.every((key) => base.sourceOf(key) === 'default' && !form.isEdited(key))} />
  )

  const apply = () =>
    form.apply((wanted, basedOn) =>
      sendOrQueue(applyAmbientSensorSettings, {
        body: {
          deviceId,
          number,
          dBacklightAutomaticStatus: wanted.isBacklightAutomatic,
          dMinBacklight: wanted.minBacklight,
          dMaxBacklight: wanted.maxBacklight,
          dMinAmbientLight: wanted.minAmbientLight,
          dMaxAmbientLight: wanted.maxAmbientLight,
          basedOn,
        },
      }),
    )

  return (
    <form
      className="setup-form"
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <div className="setup-toggle">
        <Toggle
          label="Automatic backlight"
          isOn={values.isBacklightAutomatic}
          onChange={(isBacklightAutomatic) => change({ isBacklightAutomatic })}
        />
        {noteFor('isBacklightAutomatic')}
      </div>
      <RangeField
        label="Backlight"
        unit="%"
        {...BACKLIGHT_PERCENT}
        from={values.minBacklight}
        to={values.maxBacklight}
        note={noteFor('minBacklight', 'maxBacklight')}
        onChange={(minBacklight, maxBacklight) => change({ minBacklight, maxBacklight })}
      />
      <RangeField
        label="Ambient light"
        unit="lux"
        {...AMBIENT_LUX}
        scale={LUX_SCALE}
        from={values.minAmbientLight}
        to={values.maxAmbientLight}
        note={noteFor('minAmbientLight', 'maxAmbientLight')}
        onChange={(minAmbientLight, maxAmbientLight) => change({ minAmbientLight, maxAmbientLight })}
      />
      <CurvePreview
        today={curveOnDevice(number, readings, section)}
        next={values}
        isAutomatic={values.isBacklightAutomatic}
        ambientLightLux={numberIn(readings, wireName('display', number, 'ambient_light'))}
      />
      <SectionFoot {...{ form, target, section, readings }} sendBack={sendBack(target)} />
    </form>
  )
}

const sendBack =
  ({ deviceId, number }: Target) =>
  (args: AmbientArguments, basedOn: string | null) =>
    sendOrQueue(applyAmbientSensorSettings, { body: { ...ambientArguments(args), deviceId, number, basedOn } })

type AmbientArguments = Partial<Record<AmbientNumberKey, number>> & { readonly backlightAutomaticStatus?: boolean }

const ambientArguments = (args: AmbientArguments) => ({
  dBacklightAutomaticStatus: args.backlightAutomaticStatus,
  dMinBacklight: args.minBacklight,
  dMaxBacklight: args.maxBacklight,
  dMinAmbientLight: args.minAmbientLight,
  dMaxAmbientLight: args.maxAmbientLight,
})
