import {
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { patchProfile, signOut } from '../data/session.ts'
import { languageNames, languages, switchTo } from '../i18n/i18n.ts'
import { askToDiscard, leaveFor } from '../parts/forms/unsaved.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { initials } from '../parts/texts/initials.ts'
import classes from './sidebar.module.css'
import { useSignedIn } from './use-session.ts'

const themes = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } satisfies Record<
  MantineColorScheme,
  unknown
>

export function UserMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const leave = useAction(signOut)
  const exit = async () => {
    if (await askToDiscard()) leave.run(undefined, () => leaveFor('/sign-in'))
  }
  return (
    <Menu position="top-start" width={230}>
      <Menu.Target>
        <UnstyledButton className={classes.switch}>
          <span className={classes.person} aria-hidden>
            {initials(user.name)}
          </span>
          <span className={classes.names}>
            <span className={classes.name}>{user.name}</span>
            <span className={classes.under}>{user.email}</span>
          </span>
          <VisuallyHidden>{t('nav.user_menu')}</VisuallyHidden>
          <IconSelector size={15} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={15} />}>
          {t('nav.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onShowKeys}>
          {t('keys.title')}
        </Menu.Item>
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={exit}>
          {t('nav.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ThemeItems() {
  const { t } = useTranslation()
  // To stop transitions, Mantine writes a style with innerHTML, which Trusted Types reject.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <>
      <Menu.Label>{t('theme.title')}</Menu.Label>
      {(Object.keys(themes) as MantineColorScheme[]).map((scheme) => {
        const Mark = themes[scheme]
        return (
          <Menu.Item
            key={scheme}
            leftSection={<Mark size={15} />}
            rightSection={
              scheme === colorScheme ? <IconCheck size={14} aria-label={t('nav.current')} /> : null
            }
            onClick={() => setColorScheme(scheme)}
          >
            {t(`theme.${scheme}`)}
          </Menu.Item>
        )
      })}
    </>
  )
}

function LanguageItems() {
  const { t, i18n } = useTranslation()
  const save = useAction(patchProfile)
  return (
    <>
      <Menu.Label>{t('nav.language')}</Menu.Label>
      {languages.map((language) => (
        <Menu.Item
          key={language}
          lang={language}
          rightSection={
            language === i18n.language ? <IconCheck size={14} aria-label={t('nav.current')} /> : null
          }
          onClick={() => save.run({ lang: language }, () => switchTo(language))}
        >
          {languageNames[language]}
        </Menu.Item>
      ))}
    </>
  )
}
