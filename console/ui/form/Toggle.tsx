import './controls.css'

interface ToggleProps {
  readonly label: string
  /** `undefined` is unknown, and drawn as neither. */
  readonly isOn: boolean | undefined
  readonly onChange: (isOn: boolean) => void
  /** It stands at the end of the switch; the state in a word by default. */
  readonly stateText?: string
  /** While a change is under way the switch stays as it is. */
  readonly isBusy?: boolean
  readonly control?: string
}

/** A switch may be on, off or unknown. It shows what it is given and never turns on its own. */
export function Toggle({ label, isOn, onChange, stateText = wordFor(isOn), isBusy = false, control }: ToggleProps) {
  const state = isOn === undefined ? 'unknown' : isOn ? 'on' : 'off'
  return (
    <button
      type="button"
      className="toggle"
      // A switch has no third state; a checkbox has.
      {...(isOn === undefined
        ? { role: 'checkbox', 'aria-checked': 'mixed' }
        : { role: 'switch', 'aria-checked': isOn })}
      aria-label={label}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      data-state={state}
      data-control={control}
      onClick={() => {
        if (!isBusy) onChange(!isOn)
      }}
    >
      <span className="toggle-track" aria-hidden />
      <span className="toggle-label">{label}</span>
      <span className="toggle-state" aria-hidden>
        {stateText}
      </span>
    </button>
  )
}

function wordFor(isOn: boolean | undefined): string {
  if (isOn === undefined) return 'Unknown'
  return isOn ? 'On' : 'Off'
}
