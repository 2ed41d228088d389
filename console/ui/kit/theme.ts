import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import overlays from './overlays.module.css'

const brand: MantineColorsTuple = [
  '#e2f8fe',
  '#c5eefa',
  '#8fe0f5',
  '#5fd2ef',
  '#35c4e8',
  '#14a9d0',
  '#008cb0',
  '#00708f',
  '#005a74',
  '#00445a',
]
const slate: MantineColorsTuple = [
  '#e6edf3',
  '#b6c3cf',
  '#9aabba',
  '#6b7d8e',
  '#35475a',
  '#2a3845',
  '#1a242e',
  '#121a22',
  '#0e151c',
  '#0b1016',
]
const red: MantineColorsTuple = [
  '#fff0ee',
  '#ffdcd8',
  '#ffb8b1',
  '#ff958b',
  '#ff7066',
  '#ee4b3f',
  '#d9362a',
  '#c2261d',
  '#a01d15',
  '#7f150f',
]

const clearButtonProps = {
  'aria-label': 'Clear',
  'aria-hidden': false,
  tabIndex: 0,
  style: { minWidth: 24, minHeight: 24 },
}

const OVERLAY = { header: overlays.header, title: overlays.title, body: overlays.body }
const OVERLAY_NAMES = {
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
}

/** The accessibility defaults were measured with axe. */
/** Style sheets use these names, because the kit's own class names are not stable (`withStaticClasses`). */
const PARTS = {
  InputWrapper: {
    classNames: { root: 'field', label: 'field-label', description: 'field-description', error: 'field-error' },
  },
  Input: { classNames: { input: 'field-input', section: 'field-section' } },
  Button: { classNames: { root: 'button', label: 'button-label' } },
  ActionIcon: { classNames: { root: 'icon-button' } },
  Checkbox: { classNames: { root: 'checkbox' } },
  Slider: { classNames: { root: 'slider', thumb: 'slider-thumb' } },
  RangeSlider: { classNames: { root: 'slider', thumb: 'slider-thumb' } },
  SegmentedControl: { classNames: { indicator: 'segments-indicator', label: 'segments-label' } },
  Popover: { classNames: { dropdown: 'popover' } },
  Menu: { classNames: { dropdown: 'menu', itemLabel: 'menu-item-label' } },
} as const

export const theme = createTheme({
  fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, monospace",
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-xl)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--text-l)' },
      h3: { fontSize: 'var(--text-m)' },
    },
  },
  fontSizes: {
    xs: 'var(--text-s)',
    sm: 'var(--text-m)',
    md: 'var(--text-m)',
    lg: 'var(--text-l)',
    xl: 'var(--text-l)',
  },
  spacing: { xs: 'var(--pad-xs)', sm: 'var(--pad-s)', md: 'var(--pad)', lg: 'var(--pad-l)', xl: 'var(--pad-xl)' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  colors: { brand, dark: slate, red },
  primaryColor: 'brand',
  // Both schemes use the same dark shade, because white text on the light cyan would be too faint.
  primaryShade: 7,
  components: {
    ...PARTS,
    Button: { ...PARTS.Button, defaultProps: { size: 'xs' } },
    ActionIcon: { ...PARTS.ActionIcon, defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    // A list that opens at once in a new dialog would cover the fields below it.
    Select: { defaultProps: { size: 'xs', openOnFocus: false, clearButtonProps } },
    Menu: { ...PARTS.Menu, defaultProps: { withInitialFocusPlaceholder: false, shadow: 'md' } },
    Modal: {
      classNames: { ...OVERLAY, content: overlays.modal },
      defaultProps: {
        ...OVERLAY_NAMES,
        overlayProps: { backgroundOpacity: 0.55 },
        centered: true,
      },
    },
    Drawer: {
      classNames: { ...OVERLAY, content: overlays.drawer },
      defaultProps: { ...OVERLAY_NAMES, position: 'right', overlayProps: { backgroundOpacity: 0.35 } },
    },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#eef2f5',
    '--mantine-color-text': '#17212b',
    '--mantine-color-dimmed': '#526272',
    '--mantine-color-default-border': '#b6c3ce',
    '--mantine-color-placeholder': '#66757f',
    '--mantine-color-error': '#c2261d',
    '--mantine-color-anchor': '#00708f',
  },
  dark: {
    '--mantine-color-body': '#0b1016',
    '--mantine-color-text': '#e6edf3',
    '--mantine-color-dimmed': '#9aabba',
    '--mantine-color-default': '#1a242e',
    '--mantine-color-default-hover': '#22303c',
    '--mantine-color-default-border': '#35475a',
    '--mantine-color-placeholder': '#8796a4',
    '--mantine-color-error': '#ff7066',
    '--mantine-color-anchor': '#35c4e8',
  },
})
