// Runs before the page is drawn, so that it is drawn once.
(() => {
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;
  const kept = () => {
    try {
      return THEMES.includes(localStorage.theme) ? localStorage.theme : "auto";
    } catch {
      return "auto";
    }
  };
  const show = (theme) => {
    root.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-next]")) {
      button.hidden = false;
      button.textContent = `Theme: ${theme}`;
    }
  };
  show(kept());
  addEventListener("DOMContentLoaded", () => {
    show(kept());
    document.addEventListener("click", (event) => {
      if (!event.target.closest("[data-theme-next]")) return;
      const next = THEMES[(THEMES.indexOf(kept()) + 1) % THEMES.length];
      try {
        localStorage.theme = next;
      } catch {
        // A browser that keeps nothing shows the theme until the page is left.
      }
      show(next);
    });
  });
})();
