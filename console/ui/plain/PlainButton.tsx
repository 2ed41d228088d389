import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import './PlainButton.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Stands out from the others; for the one thing that a page is about. */
  readonly isMain?: boolean
  /** It has no frame, because it stands within a text or a list. */
  readonly isQuiet?: boolean
  readonly icon?: ReactNode
  /** Something is under way: it turns, and takes no further click. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button as the kit draws it, for what has to be there before the kit is. */
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
  /** What it does, for those who do not see the icon. */
  readonly 'aria-label': string
  readonly sizePx?: number
  readonly hasFrame?: boolean
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** An icon to press, as the kit draws it. */
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
