/** Puts a button on every snippet that copies it. */
export function addCopyButtons(): void {
  for (const code of document.querySelectorAll('figure.code pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(code.textContent, button))
    code.before(button)
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2_000)
}
