import { createTheme, localStorageColorSchemeManager, type MantineColorsTuple } from '@mantine/core'

/**
 * Colours stand in theme.css. Mantine would write them into `<style>` elements with `innerHTML`, which a page with
 * `require-trusted-types-for 'script'` refuses, so its variables and classes are switched off (main.tsx) and these
 * tuples only lend the names their meaning.
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
