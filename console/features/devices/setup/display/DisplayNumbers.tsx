import { IconInfoCircle } from '@tabler/icons-react'
import { BACKLIGHT, DISPLAY_NUMBERS, type NumberSetting } from '#console/deviceParts/settings/settingNumbers.ts'
import { NumberSlider } from '#console/ui/number/NumberSlider.tsx'
import type { DisplayValues } from '../section/settingValues.ts'
import type { SectionForm } from '../section/useSectionForm.ts'
import { DefaultNote } from './DefaultNote.tsx'

type NumberKey = (typeof DISPLAY_NUMBERS)[number]['key']

interface DisplayNumbersProps {
  readonly form: SectionForm<DisplayValues>
  readonly isDefault: (key: NumberKey) => boolean
  /** What sets the backlight again. */
  readonly note: string | undefined
}

const COLOURS: Partial<Record<NumberKey, string>> = {
  redColorBalance: 'Red',
  greenColorBalance: 'Green',
  blueColorBalance: 'Blue',
}
const isColour = ({ key }: NumberSetting<NumberKey>) => COLOURS[key] !== undefined

export function DisplayNumbers({ form, isDefault, note }: DisplayNumbersProps) {
  const slider = (setting: NumberSetting<NumberKey>) => (
    <div key={setting.key} data-edited={form.isEdited(setting.key) || undefined}>
      <NumberSlider
        label={setting.label}
        shownLabel={COLOURS[setting.key]}
        unit={setting.unit}
        min={setting.min}
        max={setting.max}
        step={setting.step}
        value={form.values[setting.key]}
        note={<DefaultNote isShown={isDefault(setting.key)} />}
        onChange={(value) => form.change({ [setting.key]: value })}
      />
      {setting.key === BACKLIGHT.key && note && (
        <p className="setup-overruled" role="note" aria-live="polite">
          <IconInfoCircle size={16} aria-hidden />
          {note}
        </p>
      )}
    </div>
  )
  return (
    <>
      {DISPLAY_NUMBERS.filter((setting) => !isColour(setting)).map(slider)}
      <fieldset className="colour-balance">
        <legend>Colour balance</legend>
        {DISPLAY_NUMBERS.filter(isColour).map(slider)}
      </fieldset>
    </>
  )
}
