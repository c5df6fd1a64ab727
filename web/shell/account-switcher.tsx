import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseAccount, type SessionAccount } from '../data/session.ts'
import { askToDiscard, leaveFor } from '../parts/forms/unsaved.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { initials } from '../parts/texts/initials.ts'
import classes from './sidebar.module.css'
import { useSignedIn } from './use-session.ts'

/** The current account, with a menu if the person has several. */
export function AccountSwitcher() {
  const { t } = useTranslation()
  const { account, accounts } = useSignedIn()
  const change = useChangeAccount()
  if (!account) return null
  if (accounts.length < 2) {
    return (
      <div className={classes.switch}>
        <AccountNames account={account} />
      </div>
    )
  }
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.switch}>
          <AccountNames account={account} />
          <VisuallyHidden>{t('nav.switch_account')}</VisuallyHidden>
          <IconSelector size={15} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('nav.accounts')}</Menu.Label>
        {accounts.map((other) => (
          <Menu.Item
            key={other.id}
            onClick={() => change(other)}
            rightSection={
              other.id === account.id ? <IconCheck size={14} aria-label={t('nav.current')} /> : null
            }
          >
            <span className={classes.names}>
              <span className={classes.name}>{other.name}</span>
              <span className={classes.under}>{other.subdomain}</span>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function AccountNames({ account }: { account: SessionAccount }) {
  return (
    <>
      <span className={classes.glyph} aria-hidden>
        {initials(account.name)}
      </span>
      <span className={classes.names}>
        <span className={classes.name}>{account.name}</span>
        <span className={classes.under}>{account.subdomain}</span>
      </span>
    </>
  )
}

/** On an account's own host the session belongs to that account, so another account opens on its own host. */
function useChangeAccount() {
  const { account } = useSignedIn()
  const choose = useAction(chooseAccount)
  return async (other: SessionAccount) => {
    if (other.id === account?.id || !(await askToDiscard())) return
    if (account && new URL(account.url).host === window.location.host) leaveFor(other.url)
    else choose.run(other.id, () => leaveFor('/'))
  }
}
