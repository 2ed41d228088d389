import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { formatMinute } from '#console/lib/time/time.ts'
import { fieldTextOf, momentOfField } from '#console/lib/time/viewerZone.ts'

interface Props
  extends Pick<
    DateTimePickerProps,
    'className' | 'label' | 'error' | 'withAsterisk' | 'leftSection' | 'leftSectionWidth' | 'leftSectionPointerEvents'
  > {
  readonly name: string
  readonly value: Date | undefined
  /** Of no moment only where `isClearable`. */
  readonly onChange: (moment: Date | undefined) => void
  readonly isClearable?: boolean
  /** The field that a modal gives the focus to. */
  readonly 'data-autofocus'?: boolean
}

/** A date with hours and minutes, in the viewer's zone. */
export function MomentField({ name, value, onChange, isClearable = false, ...looks }: Props) {
  return (
    <DateTimePicker
      {...looks}
      size="xs"
      aria-label={value ? `${name} ${formatMinute(value)}` : name}
      valueFormat="DD.MM.YY HH:mm"
      firstDayOfWeek={1}
      weekendDays={[]}
      hideOutsideDates
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': `Clear ${name}`, tabIndex: 0 }}
      submitButtonProps={{ 'aria-label': 'Apply' }}
      ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
      timePickerProps={{ hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' }}
      popoverProps={{ attributes: { dropdown: { 'aria-label': name } } }}
      value={value ? fieldTextOf(value) : null}
      onChange={(text) => {
        const moment = text === null ? undefined : momentOfField(text)
        if (text === null || moment !== undefined) onChange(moment)
      }}
    />
  )
}
