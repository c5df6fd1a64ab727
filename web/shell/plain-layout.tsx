import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages, speak } from '../i18n/i18n.ts'
import { usePageTitle } from '../parts/layout/page.tsx'
import { Wordmark } from './logo.tsx'
import classes from './plain-layout.module.css'

interface PlainLayoutProps {
  title: string
  lead?: ReactNode
  /** Hides the heading; the title is then only the tab's. */
  untitled?: boolean
  wide?: boolean
  children: ReactNode
}

/** The layout of pages outside the sign-in: a card, the logo and the languages. */
export function PlainLayout({ title, lead, untitled, wide, children }: PlainLayoutProps) {
  usePageTitle(title)
  return (
    <div className={classes.bare}>
      <header className={classes.head}>
        <Wordmark />
      </header>
      <main className={classes.main}>
        <div className={`${classes.card} ${wide ? classes.wide : ''}`}>
          {!untitled && (
            <div className={classes.title}>
              <h1>{title}</h1>
              {lead && <p>{lead}</p>}
            </div>
          )}
          {children}
        </div>
      </main>
      <footer className={classes.foot}>
        <Languages />
      </footer>
    </div>
  )
}

function Languages() {
  const { i18n } = useTranslation()
  return languages.map((language) => (
    <UnstyledButton
      key={language}
      lang={language}
      className={classes.language}
      aria-pressed={language === i18n.language}
      onClick={() => speak(language)}
    >
      {languageNames[language]}
    </UnstyledButton>
  ))
}
