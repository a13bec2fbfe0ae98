import type { Letter } from '../../../mail/transport.ts'

/** Every letter that accounts send; `code` and `link` prove that the reader owns the address. */
export type LetterContent =
  | { kind: 'signup'; code: string; link: string }
  | { kind: 'recovery'; code: string; link: string }
  | { kind: 'email_change'; code: string; link: string; newEmail: string }
  | { kind: 'reauthentication'; code: string }
  | { kind: 'signup_attempt'; link: string }
  | { kind: 'password_changed' }
  | { kind: 'email_changed'; newEmail: string }
  | { kind: 'factor_added' }
  | { kind: 'factor_removed' }
  | { kind: 'role_changed'; role: string }
  | { kind: 'invitation'; from: string; organization: string; link: string }
  | { kind: 'share_offered'; organization: string; link: string }
  | { kind: 'organization_closed'; organization: string }
  | ({ kind: 'told' } & Told)

/** What the product tells a person who asked to be told: lists under headings, and where to end it. */
export interface Told {
  subject: string
  about: string
  sections: { title: string | null; lines: { text: string; link?: string }[] }[]
  action: { label: string; link: string }
  /** A page that ends it, in words; and where one click does. */
  end?: { label: string; link: string }
  unsubscribe?: string
}

interface Body {
  subject: string
  /** The same with nobody's name in it. */
  about?: string
  paragraphs: string[]
  action?: { label: string; link: string }
  code?: string
  sections?: Told['sections']
  end?: Told['end']
  unsubscribe?: string
}

const IGNORE = 'Se não foi você, ignore esta mensagem: nada muda na sua conta.'
const NOT_ME = 'Se não foi você, redefina a sua senha agora e fale com um administrador.'

function bodyOf(content: LetterContent): Body {
  switch (content.kind) {
    case 'signup':
      return {
        subject: 'Confirme o seu email',
        paragraphs: ['Para ativar a sua conta no Ensaio, confirme que este endereço é seu.', IGNORE],
        action: { label: 'Confirmar email', link: content.link },
        code: content.code,
      }
    case 'recovery':
      return {
        subject: 'Redefina a sua senha',
        paragraphs: [
          'Alguém pediu para redefinir a senha da sua conta no Ensaio. O link vale por uma hora.',
          IGNORE,
        ],
        action: { label: 'Definir nova senha', link: content.link },
        code: content.code,
      }
    case 'email_change':
      return {
        subject: 'Confirme a troca de email',
        paragraphs: [
          `O endereço da sua conta no Ensaio passará a ser ${content.newEmail} quando os dois endereços, o antigo e o novo, confirmarem a troca.`,
          NOT_ME,
        ],
        action: { label: 'Confirmar troca', link: content.link },
        code: content.code,
      }
    case 'reauthentication':
      return {
        subject: 'Seu código de confirmação',
        paragraphs: ['Use este código para confirmar que é você.', NOT_ME],
        code: content.code,
      }
    case 'signup_attempt':
      return {
        subject: 'Você já tem uma conta',
        paragraphs: [
          'Alguém tentou criar uma conta no Ensaio com este endereço, que já está cadastrado. Nenhuma conta nova foi criada e a sua senha não mudou.',
          'Se foi você e esqueceu a senha, peça uma nova na página de recuperação.',
        ],
        action: { label: 'Recuperar a senha', link: content.link },
      }
    case 'password_changed':
      return {
        subject: 'Sua senha foi alterada',
        paragraphs: [
          'A senha da sua conta no Ensaio foi alterada e as outras sessões foram encerradas.',
          NOT_ME,
        ],
      }
    case 'email_changed':
      return {
        subject: 'O email da sua conta foi alterado',
        paragraphs: [`A sua conta no Ensaio agora usa o endereço ${content.newEmail}.`, NOT_ME],
      }
    case 'factor_added':
      return {
        subject: 'Verificação em duas etapas ativada',
        paragraphs: ['Um segundo fator foi adicionado à sua conta no Ensaio.', NOT_ME],
      }
    case 'factor_removed':
      return {
        subject: 'Verificação em duas etapas removida',
        paragraphs: ['Um segundo fator foi removido da sua conta no Ensaio.', NOT_ME],
      }
    case 'role_changed':
      return {
        subject: 'Seu papel mudou',
        paragraphs: [`Um administrador definiu o seu papel no Ensaio: ${content.role}.`],
      }
    case 'invitation':
      return {
        subject: `${content.from} convidou você para ${content.organization}`,
        about: 'Convite para uma organização',
        paragraphs: [
          `${content.from} convidou você para participar de ${content.organization} no Ensaio. O convite vale por 7 dias e uma única vez.`,
          'Se você não conhece quem convidou, ignore esta mensagem.',
        ],
        action: { label: 'Ver o convite', link: content.link },
      }
    case 'share_offered':
      return {
        subject: `${content.organization} quer compartilhar experimentos com você`,
        about: 'Compartilhamento oferecido',
        paragraphs: [
          `${content.organization} ofereceu experimentos para você ver no Ensaio. Entre na sua conta e escolha qual das suas organizações os recebe; até lá nada é mostrado.`,
          'Se você não conhece quem ofereceu, ignore esta mensagem.',
        ],
        action: { label: 'Ver o que foi oferecido', link: content.link },
      }
    case 'told':
      return { ...content, paragraphs: [`${content.subject}.`] }
    case 'organization_closed':
      return {
        subject: `${content.organization} foi fechada`,
        about: 'Organização fechada',
        paragraphs: [
          `A organização ${content.organization} foi fechada no Ensaio: os seus experimentos podem ser lidos e não podem mais ser alterados. Em 30 dias tudo será destruído; até lá um dono pode reabri-la.`,
        ],
      }
  }
}

/** The letter in plain text and HTML, both saying the same; without a name, to who may have no account. */
export function writeLetter(to: string, name: string | null, content: LetterContent): Letter {
  const {
    subject,
    about = subject,
    paragraphs,
    action,
    code,
    sections = [],
    end,
    unsubscribe,
  } = bodyOf(content)
  const greeting = name === null ? 'Olá.' : `Olá, ${name}.`
  const text = [
    greeting,
    ...paragraphs,
    ...sections.flatMap(({ title, lines }) => [
      ...(title === null ? [] : [title]),
      ...lines.map(({ text: line, link }) => (link ? `${line}\n${link}` : line)),
    ]),
    ...(action ? [`${action.label}: ${action.link}`] : []),
    ...(code ? [`Código: ${code}`] : []),
    'Ensaio',
    ...(end ? [`${end.label}: ${end.link}`] : []),
  ].join('\n\n')
  const html = [
    '<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"></head>',
    '<body style="font-family:system-ui,sans-serif;line-height:1.5;color:#1c1917;max-width:36rem;margin:auto;padding:1.5rem">',
    `<p>${escapeHtml(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...sections.flatMap(({ title, lines }) => [
      title === null ? '' : `<h2 style="font-size:1rem;margin:1.25rem 0 .25rem">${escapeHtml(title)}</h2>`,
      `<ul style="padding-left:1.1rem">${lines.map(({ text: line, link }) => `<li>${link ? `<a href="${escapeHtml(link)}" style="color:#166534">${escapeHtml(line)}</a>` : escapeHtml(line)}</li>`).join('')}</ul>`,
    ]),
    action
      ? `<p><a href="${escapeHtml(action.link)}" style="display:inline-block;padding:.6rem 1rem;background:#166534;color:#fff;border-radius:.4rem;text-decoration:none">${escapeHtml(action.label)}</a></p>`
      : '',
    code ? `<p>Código: <strong style="font-size:1.25rem;letter-spacing:.15em">${code}</strong></p>` : '',
    '<p>Ensaio</p>',
    end
      ? `<p style="font-size:.85rem"><a href="${escapeHtml(end.link)}" style="color:#57534e">${escapeHtml(end.label)}</a></p>`
      : '',
    '</body></html>',
  ].join('\n')
  return {
    ...{ to, subject, about, text, html, link: action?.link ?? null },
    ...(unsubscribe !== undefined && { unsubscribe }),
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
