import { Popover } from '@mantine/core'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { type KeyboardEvent, useState } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import { fieldTextOf, momentOfField } from '#console/lib/time/viewerZone.ts'
import { TypedMoment } from './TypedMoment.tsx'

interface Props
  extends Pick<
    DateTimePickerProps,
    'className' | 'label' | 'error' | 'withAsterisk' | 'leftSection' | 'leftSectionWidth' | 'leftSectionPointerEvents'
  > {
  readonly name: string
  readonly value: Date | undefined
  /** It receives undefined only where `isClearable`. */
  readonly onChange: (moment: Date | undefined) => void
  readonly isClearable?: boolean
  readonly 'data-autofocus'?: boolean
}

/** The moment is in the viewer's zone, chosen from a calendar, or typed by whoever begins to type. */
export function MomentField({ name, value, onChange, isClearable = false, ...looks }: Props) {
  const [typed, setTyped] = useState<string>()
  return (
    <Popover
      opened={typed !== undefined}
      onChange={(isOpen) => !isOpen && setTyped(undefined)}
      position="bottom-start"
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <DateTimePicker
          {...looks}
          size="xs"
          aria-label={value ? `${name} ${formatMinute(value)}` : name}
          title="Click for a calendar, or type: yesterday 9:00, 17.11. 14:00, 3 h ago"
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
          onKeyDown={(event) => {
            if (!beginsText(event)) return
            event.preventDefault()
            // The keys of the page, such as `g` and `/`, are letters here.
            event.stopPropagation()
            setTyped(event.key)
          }}
          onChange={(text) => {
            const moment = text === null ? undefined : momentOfField(text)
            if (text === null || moment !== undefined) onChange(moment)
          }}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Type ${name}`}>
        {typed !== undefined && (
          <TypedMoment
            label={name}
            begin={typed}
            onChoose={(moment) => {
              setTyped(undefined)
              onChange(moment)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Space and Enter press the field; keys of its calendar, which is a descendant, arrive here too. */
function beginsText({ key, target, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return target === currentTarget && !ctrlKey && !metaKey && !altKey && /^[\p{L}\p{N}+-]$/u.test(key)
}
