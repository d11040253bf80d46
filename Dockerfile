FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /site
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
# Compile the code of the bots, so that the first ones need not wait. On a processor other than that
# of the build it is compiled again when the site starts.
RUN python -m games.ai compile
# These commands use neither a secret nor a database: the two values only let the settings load, and
# do not stay in the image.
RUN DEMO=1 SECRET_KEY=build python manage.py compilelocale \
 && DEMO=1 SECRET_KEY=build python manage.py collectstatic --noinput -v0 \
 && useradd --system --no-create-home site \
 && mkdir -p var/media && chown -R site var
USER site
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000", "--no-worker"]
