import { sendOrQueue } from '#console/lib/call/api.ts'
import { rangeOf } from '#console/lib/form/fieldBounds.ts'
import { LUX_SCALE } from '#console/ui/form/luxSlider.ts'
import { RangeField } from '#console/ui/form/RangeField.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { applyAmbientSensorSettings, type DeviceSettingsView } from '#contract/http/deviceSettings.ts'
import { CurvePreview } from './CurvePreview.tsx'
import { DefaultNote } from './DefaultNote.tsx'
import { numberIn, type Readings, wireName } from './readings.ts'
import { SectionFoot } from './SectionFoot.tsx'
import { type AmbientValues, ambientBase, curveOnDevice } from './settingValues.ts'
import type { Numbered } from './setupSections.ts'
import { useSectionForm } from './useSectionForm.ts'
import { sectionOf } from './useSetup.ts'

const BACKLIGHT_PERCENT = rangeOf(applyAmbientSensorSettings, 'dMaxBacklight')
const AMBIENT_LUX = rangeOf(applyAmbientSensorSettings, 'dMaxAmbientLight')

interface AmbientFormProps {
  readonly sensor: Numbered
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

/** How one ambient sensor steers the backlight, with the curve that it makes of the light. */
export function AmbientForm({ sensor: { number }, view, readings }: AmbientFormProps) {
  const section = sectionOf(view, 'ambientSensor', number)
  const base = ambientBase(number, readings, section)
  const { deviceId } = view
  const form = useSectionForm<AmbientValues>(base.values, { deviceId, section: 'ambientSensor', number })
  const { values, change } = form
  const noteFor = (...keys: (keyof AmbientValues)[]) => (
    <DefaultNote isShown={keys.every((key) => base.sourceOf(key) === 'default' && !form.isEdited(key))} />
  )

  const apply = () =>
    form.apply((wanted) =>
      sendOrQueue(applyAmbientSensorSettings, {
        body: {
          deviceId,
          number,
          dBacklightAutomaticStatus: wanted.isBacklightAutomatic,
          dMinBacklight: wanted.minBacklight,
          dMaxBacklight: wanted.maxBacklight,
          dMinAmbientLight: wanted.minAmbientLight,
          dMaxAmbientLight: wanted.maxAmbientLight,
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
      <SectionFoot form={form} section={section} readings={readings} />
    </form>
  )
}
