import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import './PlainButton.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly isMain?: boolean
  /** It has no frame, because it stands within a text or a list. */
  readonly isQuiet?: boolean
  readonly icon?: ReactNode
  /** While something is under way it shows a spinner, and takes no further click. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** It looks like a button of the kit, and can be shown before the kit is loaded. */
export function PlainButton({
  isMain = false,
  isQuiet = false,
  icon,
  isBusy = false,
  children,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className="plain-button"
      data-main={isMain || undefined}
      data-quiet={isQuiet || undefined}
      data-busy={isBusy || undefined}
      disabled={isBusy || props.disabled}
    >
      <span className="plain-button-content">
        {icon}
        {children}
      </span>
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly 'aria-label': string
  readonly sizePx?: number
  readonly hasFrame?: boolean
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function PlainIconButton({ sizePx = 32, hasFrame = false, isBusy = false, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className="plain-icon-button"
      style={{ width: sizePx, height: sizePx }}
      data-frame={hasFrame || undefined}
      data-busy={isBusy || undefined}
      disabled={isBusy || props.disabled}
    />
  )
}
