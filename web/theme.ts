import { createTheme, localStorageColorSchemeManager, type MantineColorsTuple } from '@mantine/core'

/**
 * Colors are in theme.css. Mantine would write its variables into `<style>` elements with `innerHTML`, which
 * `require-trusted-types-for 'script'` rejects. They are turned off (main.tsx), and these tuples only define the
 * names.
 */
const named = (name: string): MantineColorsTuple => {
  const shade = `var(--mantine-color-${name}-filled)`
  return [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade]
}

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: named('accent'), danger: named('danger') },
  defaultRadius: 'var(--pb-radius)',
  cursorType: 'pointer',
  focusRing: 'auto',
  fontFamily: 'var(--pb-font)',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120, transition: 'fade' } } },
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 80 }, shadow: 'md' },
    },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Tooltip: {
      defaultProps: { openDelay: 400, withArrow: false, events: { hover: true, focus: true, touch: false } },
    },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'patchbay-theme' })
